// writeOnce against a real server, ten thousand times: tests/faults/writes.mjs tells what it meets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { broken, helpersSummary, summary } from '../faults/writes.mjs';

const CALLS_EACH = 2_500;
const AT_ONCE = 80;
const WORLDS = [{ seed: 1 }, { seed: 2 }, { seed: 3, stale: true }, { seed: 4, stale: true }];
const CALLS = WORLDS.length * CALLS_EACH;

/** Everything that one of the two did: `helped` is the usual retry helper. */
async function courses(worlds, callsEach, helped = false) {
  const workerData = { worlds, callsEach, atOnce: AT_ONCE, helped };
  const [courses] = await once(new Worker(new URL('write_once_faults_worker.mjs', import.meta.url), { workerData }), 'message');
  return courses;
}

test(`${CALLS} writes through every fault: no double but by a late apply after a 429 or 503, and no lie`, async (t) => {
  const [ours, helpers] = await Promise.all([courses(WORLDS, CALLS_EACH), courses(WORLDS, CALLS_EACH, true)]);
  for (const line of [...summary(ours), helpersSummary(helpers)]) t.diagnostic(line);
  assert.deepEqual(ours.flatMap(broken), []);
  assert.deepEqual([ours.length, helpers.length], [CALLS, CALLS]);
  // What is printed means something only if the faults took part.
  assert.ok(helpers.filter(({ items }) => items > 1).length > CALLS / 10);
});

test('1000 writes to lists with a unique column: none doubles, however late the first is carried out', async (t) => {
  const found = await courses([{ seed: 5, unique: true }, { seed: 6, unique: true, stale: true }], 500);
  for (const line of summary(found)) t.diagnostic(line);
  assert.deepEqual(found.flatMap(broken), []);
});
