// Whatever becomes of them, calls leave nothing in the heap of JavaScript. `bench/memory` shows it in browsers, with the DOM and
// the wasm.

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { IMPATIENT } from '../../bench/memory/ways.mjs';
import { placesOnOneOrigin } from '../../bench/places.mjs';
import { importFresh } from './fresh_package.mjs';

// Code that is made faster, or forgotten, takes memory or gives it back at any time.
setFlagsFromString('--no-opt');
setFlagsFromString('--no-sparkplug');
setFlagsFromString('--no-flush-bytecode');
const { aiFetch, spFetch } = await importFresh();

const HALF = 6, CALLS = 2_000, AT_ONCE = 100;
/** The smallest object takes so much. */
const BOUND = 32 * CALLS;
/** More than the tables of a page hold. */
const PLACES = placesOnOneOrigin(400);
const NO_CIRCUIT = { aiFetch: { circuit: false } };

let sent = 0;
/** Not of Node's class: what that keeps and lets go of would be most of what is seen. */
const answer = (status, headers) => ({ status, headers: new Map(Object.entries(headers)), body: null });
const stub = async () => answer(200, { 'content-type': 'application/json' });
const failing = async () => {
  if (++sent % 10 === 0) return answer(429, { 'retry-after-ms': '1' });
  if (sent % 10 === 5) throw new TypeError('Failed to fetch');
  return stub();
};
const { signal } = new AbortController();

async function many(count, one) {
  for (let n = 0; n < count; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => one(n + at)));
}

async function heap() {
  for (let n = 0; n < 5; n++) {
    globalThis.gc();
    await setImmediate(); // what finalizers let go of goes with the next
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Bytes that a round leaves: by the least that is held in each half of the rounds. What is held between them goes up and down
 * by a hundred bytes a call, since tables grow and shrink.
 */
async function left(one) {
  await many(CALLS, one);
  const sizes = [];
  for (let round = 0; round < 2 * HALF; round++) {
    await many(CALLS, one);
    sizes.push(await heap());
  }
  return (Math.min(...sizes.slice(HALF)) - Math.min(...sizes.slice(0, HALF))) / HALF;
}

for (const [name, send] of Object.entries({ spFetch, aiFetch })) {
  const ways = {
    'succeed at 400 endpoints': (n) => send(PLACES[n % PLACES.length], { fetch: stub, signal }),
    'are throttled or fail, one in ten': () => send(PLACES[0], { ...IMPATIENT, ...NO_CIRCUIT[name], fetch: failing, signal }).catch(() => {}),
  };
  for (const [what, one] of Object.entries(ways)) {
    test(`calls of ${name} that ${what} leave nothing in the heap`, async () => {
      const bytes = await left(one);
      assert.ok(bytes < BOUND, `${bytes} bytes of ${CALLS} calls`);
    });
  }
}

test('an account that is kept of each call would be seen', async () => {
  const kept = [];
  const bytes = await left(() => spFetch(PLACES[0], { fetch: stub, onDone: (info) => kept.push(info) }));
  assert.ok(bytes >= BOUND, `${bytes} bytes`);
});
