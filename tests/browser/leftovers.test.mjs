// A signal, a page and an engine outlive thousands of calls, so a call leaves nothing behind in them.

import { expect } from '/node_modules/chai/index.js';
import { collectGarbage } from './collect_garbage.mjs';
import { each } from './each.mjs';
import { replace } from './replace.mjs';

const ROUNDS = 10;
const CALLS = 1000;

/** Counts what is added and not taken out again. */
class Balance {
  added = 0;
  open = new Set();

  add(key) {
    this.added++;
    this.open.add(key);
  }
}

/** The listeners on a signal, counted. */
function listenersOn(signal) {
  const balance = new Balance();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  signal.addEventListener = (type, listener, options) => {
    balance.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    balance.open.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  return balance;
}

/** The timers of the page, counted. */
function timers() {
  const balance = new Balance();
  const { setTimeout, clearTimeout } = globalThis;
  replace(globalThis, 'setTimeout', (act, ms, ...rest) => {
    const id = setTimeout(() => {
      balance.open.delete(id);
      act(...rest);
    }, ms);
    balance.add(id);
    return id;
  });
  replace(globalThis, 'clearTimeout', (id) => {
    balance.open.delete(id);
    clearTimeout(id);
  });
  return balance;
}

/** A copy of the package of its own, with a look at the wasm's memory and tables. */
async function freshPackage(name) {
  const instances = [];
  replace(WebAssembly, 'Instance', class extends WebAssembly.Instance {
    constructor(...args) {
      super(...args);
      instances.push(this);
    }
  });
  const steadfetch = await import(`/pkg/index.mjs?${encodeURIComponent(name)}`);
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
  for (const timeout of [undefined, 600_000]) {
    const name = `${any ? 'with' : 'without'} AbortSignal.any, ${timeout ? 'a time of the caller\'s' : 'the default time'}`;
    it(`${ROUNDS * CALLS} calls on one signal leave nothing: ${name}`, async () => {
      if (!any) replace(AbortSignal, 'any', undefined);
      const { spFetch, aiFetch, size } = await freshPackage(name);
      const { signal } = new AbortController();
      const listeners = listenersOn(signal);
      const pending = timers();
      const init = { fetch: transport(), signal, timeout, retryBudget: false, backoff: { baseMs: 1 } };
      const one = async (n) => (await (n % 2 ? spFetch : aiFetch)('/api/x', init)).text();

      let before;
      for (let round = 0; round <= ROUNDS; round++) {
        await each(CALLS, one);
        // What is bound to a body (a listener without AbortSignal.any, the caller's time) leaves when it is collected.
        if (any && !timeout) expect(listeners.open.size + pending.open.size).to.equal(0);
        while (listeners.open.size + pending.open.size > 0) await collectGarbage(); // mocha's time limit ends it
        before = before || size(); // the first round warms up
        expect(size()).to.deep.equal(before);
      }
      const calls = (ROUNDS + 1) * CALLS;
      expect(pending.added).to.be.at.least(calls * 4 / 3); // a time limit each, and every third call a wait
      expect(listeners.added).to.be.at.least(any ? calls : 2 * calls);
    });
  }
}
