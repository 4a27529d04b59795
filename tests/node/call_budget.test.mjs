// What a success costs where it can be counted: crossings, allocations, promise turns, timers and listeners.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUCCESS } from '../budgets.mjs';
import { countedWebAssembly } from './counted_engine.mjs';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL } from './scripted_fetch.mjs';

/** More turns than any success takes; a call that needs a task of its own would never end by turns. */
const ENOUGH = 1_000;
const CALLS = { spFetch: [LIST, undefined], aiFetch: [MODEL, { method: 'POST', body: '{}' }] };

/** Counts the timers of this page that are set, and those that are left. */
function countedTimers(t) {
  const timers = { set: 0, open: new Set() };
  const { clearTimeout, setTimeout } = globalThis;
  const none = (name) => () => assert.fail(`${name} was called`);
  withGlobals(t, {
    setTimeout(act, ms) {
      timers.set++;
      const timer = setTimeout(() => {
        timers.open.delete(timer);
        act();
      }, ms);
      timers.open.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      timers.open.delete(timer);
      clearTimeout(timer);
    },
    setInterval: none('setInterval'),
    setImmediate: none('setImmediate'),
    queueMicrotask: none('queueMicrotask'),
    MessageChannel: none('MessageChannel'),
  });
  return timers;
}

function countedSignal(t) {
  const { signal } = new AbortController();
  const { any } = AbortSignal;
  const counts = { listeners: 0, followers: 0 };
  const { addEventListener } = signal;
  signal.addEventListener = (...args) => (counts.listeners++, addEventListener.apply(signal, args));
  t.mock.method(AbortSignal, 'any', (signals) => (counts.followers++, any.call(AbortSignal, signals)));
  return { signal, counts };
}

/** Promise turns until the call has settled. */
async function turnsOf(call) {
  let settled = false, turns = 0;
  call.then(() => (settled = true));
  for (; !settled && turns < ENOUGH; turns++) await null;
  return turns;
}

for (const [name, [input, init]] of Object.entries(CALLS)) {
  test(`a success of ${name} costs what its budget says`, async (t) => {
    const { counts, memory } = countedWebAssembly(t);
    const { [name]: send } = await importFresh();
    const timers = countedTimers(t);
    let sent = 0;
    const answers = [];
    withGlobals(t, { fetch: () => (sent++, Promise.resolve(answers.pop())) });
    const one = async () => {
      answers.push(new Response('{}'));
      const before = { ...counts, timers: timers.set, sent };
      const call = send(input, init);
      assert.equal(sent, before.sent + 1, 'fetch is called before the call returns');
      const turns = await turnsOf(call);
      assert.equal((await call).status, 200);
      assert.equal(timers.open.size, 0, 'no timer outlives the call');
      const { into, outOf, allocations } = counts;
      return { turns, into: into - before.into, outOf: outOf - before.outOf, allocations: allocations - before.allocations, timers: timers.set - before.timers };
    };
    for (let n = 0; n < 200; n++) await one();
    const size = memory();
    for (let n = 0; n < 2_000; n++) assert.deepEqual(await one(), SUCCESS[name]);
    assert.equal(memory(), size, 'the memory of the wasm does not grow');
  });

  test(`a success of ${name} on a signal that lives on puts nothing on it`, async (t) => {
    const { [name]: send } = await importFresh();
    const { signal, counts } = countedSignal(t);
    const { listeners, followers } = SUCCESS;
    withGlobals(t, { fetch: () => Promise.resolve(new Response('{}')) });
    for (let n = 1; n <= 20; n++) {
      await send(input, { ...init, signal });
      assert.deepEqual(counts, { listeners, followers });
    }
  });
}
