// WebAssembly that a page refuses, or that stops.

import FakeTimers from '@sinonjs/fake-timers';
import { withGlobals } from './fresh_package.mjs';

/** A dead instance leaves the timers of its calls behind; real ones would keep this process waiting for them. */
export function dropTimers(t) {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
}

export function recordWarnings(t) {
  const warnings = [];
  t.mock.method(console, 'warn', (...args) => warnings.push(args));
  return warnings;
}

/**
 * WebAssembly whose instances can be broken: after `trap()` every entry into the wasm throws as a panic does, until
 * `heal()`. So many entries may be `spared` at first, and the instances before the one numbered `from`. It counts the
 * entries that threw, and the calls out of the wasm that began since and went through.
 */
export function breakableWebAssembly(t) {
  const state = { broken: false, instances: 0, entries: 0, callsOut: 0 };
  const { WebAssembly } = globalThis;
  const mapMembers = (members, change) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
  const mapFunctions = (members, wrap) =>
    mapMembers(members, (value) => (typeof value === 'function' ? wrap(value) : value));
  const entering = (number) => (inner) => (...args) => {
    if (!state.broken || number < state.from || state.spared-- > 0) return inner(...args);
    state.entries += 1;
    throw new WebAssembly.RuntimeError('unreachable');
  };
  const leaving = (outer) => (...args) => {
    const { broken } = state;
    const result = outer(...args);
    if (broken) state.callsOut += 1;
    return result;
  };
  class Instance {
    constructor(module, imports) {
      const outside = mapMembers(imports, (members) => mapFunctions(members, leaving));
      this.exports = mapFunctions(new WebAssembly.Instance(module, outside).exports, entering(state.instances++));
    }
  }
  withGlobals(t, { WebAssembly: { Module: WebAssembly.Module, Instance } });
  state.trap = ({ spared = 0, from = 0 } = {}) => Object.assign(state, { broken: true, spared, from });
  state.heal = () => Object.assign(state, { broken: false });
  return state;
}

export const refusals = {
  'is missing': undefined,
  'may not compile (policy)': { Module: class { constructor() { throw new WebAssembly.CompileError('blocked by CSP'); } } },
  'may not compile (eval)': { Module: class { constructor() { throw new EvalError('blocked by CSP'); } } },
  'is too large for the main thread': { Module: class { constructor() { throw new RangeError('buffer is larger than 4KB'); } } },
};
