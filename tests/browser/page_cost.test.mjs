// On a success, what the page shares costs no promise turn, no timer and no listener: counted against the same calls with
// all of it switched off. What it costs in time is printed, and judged by nobody.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, spFetch } from '/pkg/index.mjs';
import { note } from './note.mjs';
import { replace } from './replace.mjs';

const CALLS = { spFetch: [spFetch, {}], aiFetch: [aiFetch, { method: 'POST', body: '{}' }] };
const OFF = { coolDown: false, retryBudget: false, circuit: false };
/** `circuit` is an option of aiFetch alone; spFetch passes what it does not know to the transport, which is a stub here. */
const WAYS = { on: {}, off: OFF };
const ANSWER = Promise.resolve(new Response(null, { status: 204 }));
const fetch = () => ANSWER;
/** More turns than any success takes; a call that needs a task of its own would never end by turns. */
const ENOUGH = 1_000;

/** Counts what the page is asked for during the rest of the test. */
function counted() {
  const counts = { timers: 0, intervals: 0, listeners: 0, frames: 0, microtasks: 0 };
  const count = (owner, member, name) => {
    const original = owner[member];
    replace(owner, member, function (...args) {
      counts[name]++;
      return original.apply(this, args);
    });
  };
  count(globalThis, 'setTimeout', 'timers');
  count(globalThis, 'setInterval', 'intervals');
  count(globalThis, 'requestAnimationFrame', 'frames');
  count(globalThis, 'queueMicrotask', 'microtasks');
  count(EventTarget.prototype, 'addEventListener', 'listeners');
  return counts;
}

/** Promise turns until the call is settled. */
async function turns(call) {
  let done = false, count = 0;
  call.then(() => (done = true));
  while (!done && count < ENOUGH) {
    await null;
    count++;
  }
  await call;
  return count;
}

for (const [name, [send, init]] of Object.entries(CALLS)) {
  const call = (way) => send('/api/x', { ...init, ...way, fetch });

  describe(`a success of ${name}`, () => {
    for (const signal of [undefined, new AbortController().signal]) {
      it(`takes as many turns, timers and listeners as with all of it switched off, ${signal ? 'with' : 'without'} a signal`, async () => {
        const seen = {};
        for (const [way, options] of Object.entries(WAYS)) {
          for (let n = 0; n < 3; n++) await call({ ...options, signal }); // whatever is set up once
          const counts = counted();
          seen[way] = { turns: await turns(call({ ...options, signal })), ...counts };
        }
        note(`${name}${signal ? ' with a signal' : ''}: ${JSON.stringify(seen.on)}`);
        expect(seen.on.turns).to.be.below(ENOUGH);
        expect(seen.on).to.deep.equal(seen.off);
      });
    }

    it('costs this much more time', async () => {
      const ROUNDS = 40, BATCH = 100;
      const times = { on: [], off: [] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const [way, options] of Object.entries(WAYS)) {
          const began = performance.now();
          for (let n = 0; n < BATCH; n++) await call(options);
          times[way].push(((performance.now() - began) * 1000) / BATCH);
        }
      }
      const [on, off] = [median(times.on), median(times.off)];
      note(`${name}: ${on.toFixed(1)} µs a call, ${off.toFixed(1)} µs with all switched off: ${(on - off).toFixed(1)} µs more, ratio ${(on / off).toFixed(2)}`);
      expect(on).to.be.above(0);
    });
  });
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
