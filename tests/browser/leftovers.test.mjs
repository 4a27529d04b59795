// A signal, a page and an engine outlive thousands of calls, so a call leaves nothing behind in them.

import { expect } from '/node_modules/chai/index.js';
import { listenersOn, timers } from './balance.mjs';
import { collectGarbage } from './collect_garbage.mjs';
import { each } from './each.mjs';
import { replace } from './replace.mjs';

const ROUNDS = 10;
const CALLS = 1000;
const HOUR = 3_600_000;

/** A copy of the package of its own, with a look at the wasm's memory and tables. */
async function freshPackage(name) {
  const instances = [];
  replace(WebAssembly, 'Instance', class extends WebAssembly.Instance {
    constructor(...args) {
      super(...args);
      instances.push(this);
    }
  });
  const steadfetch = await import(`/pkg/index.mjs?${name}`);
  await steadfetch.ready();
  expect(instances).to.have.length(1);
  const members = Object.values(instances[0].exports);
  const [memory] = members.filter((member) => member instanceof WebAssembly.Memory);
  const tables = members.filter((member) => member instanceof WebAssembly.Table);
  expect(tables).not.to.be.empty;
  return { ...steadfetch, size: () => ({ memory: memory.buffer.byteLength, tables: tables.map(({ length }) => length) }) };
}

/** A stub that throttles every fourth send. */
function transport() {
  let sent = 0;
  return async () => {
    if (sent++ % 4 === 0) return new Response('{}', { status: 429, headers: { 'retry-after-ms': '1' } });
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };
}

for (const any of [true, false]) {
  it(`${ROUNDS * CALLS} calls on one signal leave nothing, ${any ? 'with' : 'without'} AbortSignal.any`, async () => {
    if (!any) replace(AbortSignal, 'any', undefined);
    const { spFetch, aiFetch, size } = await freshPackage(`any=${any}`);
    const { signal } = new AbortController();
    const listeners = listenersOn(signal);
    const pending = timers();
    const init = { fetch: transport(), signal, retryBudget: false, coolDown: false, backoff: { baseMs: 1 } };
    const one = async (n) => {
      const send = n % 2 ? spFetch : aiFetch;
      const response = await send('/api/x', n % 3 ? init : { ...init, timeout: HOUR });
      await response.text();
    };

    let before;
    for (let round = 0; round <= ROUNDS; round++) {
      await each(CALLS, one);
      if (any) expect(listeners.open.size).to.equal(0);
      expect(pending.open.size).to.be.at.most(1); // for the times of the bodies
      // What is bound to a body (a listener without AbortSignal.any, the caller's time) leaves when it is collected.
      while (listeners.open.size + pending.open.size > 0) await collectGarbage(); // mocha's time limit ends it
      before = before || size(); // the first round warms up
      expect(size()).to.deep.equal(before);
    }
    const calls = (ROUNDS + 1) * CALLS;
    expect(pending.added).to.be.at.least(calls / 3); // every third call waits; the limits of all share a timer
    expect(listeners.added).to.be.at.least(any ? calls : 2 * calls);
  });
}
