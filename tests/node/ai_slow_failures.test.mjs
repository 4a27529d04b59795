// aiFetch repeats only what failed fast: a slow failure is a timeout that was paid for already.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, asleep, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{"question":"?"}' };

/** How often a first attempt that ends like this is sent, and why it was that often. */
async function sends(clock, step, init) {
  const { fetch, sends } = scripted(step, answer(200));
  const outcome = await finish(clock, aiFetch(MODEL, { ...POST, fetch, ...init })).catch((error) => error);
  assert.equal(clock.countTimers(), 0);
  return [sends.length, getCallInfo(outcome).stop];
}

const ONCE = [1, 'slow-failure'];
const AGAIN = [2, 'success'];

for (const status of [429, 502, 503, 529]) {
  test(`a ${status} is repeated up to the last millisecond before 30 s, and never from then on`, async (t) => {
    const clock = virtualClock(t);
    assert.deepEqual(await sends(clock, after(29_999, answer(status))), AGAIN);
    assert.deepEqual(await sends(clock, after(30_000, answer(status))), ONCE);
    assert.deepEqual(await sends(clock, after(40_000, answer(status))), ONCE);
    assert.deepEqual(await sends(clock, after(230_000, answer(status))), ONCE);
  });
}

for (const status of [408, 504]) {
  test(`a ${status} is repeated up to the last millisecond before 5 s: it says that time ran out`, async (t) => {
    const clock = virtualClock(t);
    assert.deepEqual(await sends(clock, after(4_999, answer(status))), AGAIN);
    assert.deepEqual(await sends(clock, after(5_000, answer(status))), ONCE);
    assert.deepEqual(await sends(clock, after(20_000, answer(status))), ONCE);
    assert.deepEqual(await sends(clock, after(40_000, answer(status))), ONCE);
  });
}

test('a network failure counts by its time, too', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await sends(clock, after(29_999, noNetwork())), AGAIN);
  assert.deepEqual(await sends(clock, after(30_000, noNetwork())), ONCE);
});

test('slowAfterMs moves the limit, also below the 5 s of a gateway timeout', async (t) => {
  const clock = virtualClock(t);
  const limit = { slowAfterMs: 2_000 };
  for (const status of [502, 504]) {
    assert.deepEqual(await sends(clock, after(1_999, answer(status)), limit), AGAIN);
    assert.deepEqual(await sends(clock, after(2_000, answer(status)), limit), ONCE);
  }
  assert.deepEqual(await sends(clock, after(5_000, answer(504)), { slowAfterMs: 100_000 }), ONCE);
});

test('nothing gets past a slow failure: not shouldRetry, not the server, not more retries, not a short hint', async (t) => {
  const clock = virtualClock(t);
  const headers = { 'x-should-retry': 'true', 'Retry-After': '1' };
  const init = { maxRetries: 100, shouldRetry: () => true, retryStatuses: [500, 502], idempotencyKey: true };
  for (const status of [500, 502]) {
    assert.deepEqual(await sends(clock, after(40_000, answer(status, headers)), init), ONCE);
  }
});

test('every attempt is timed by itself: a slow one after a fast one ends the call', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(503), after(40_000, answer(502)), answer(200));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  assert.equal(response.status, 502);
  assert.equal(sends.length, 2);
  assert.deepEqual(getCallInfo(response).attempts.map((attempt) => attempt.decision), ['retry', 'slow-failure']);
});

test('a laptop that slept: a failure of which nobody knows how long it took is slow', async (t) => {
  const clock = virtualClock(t);
  for (const step of [answer(503), noNetwork()]) {
    assert.deepEqual(await sends(clock, asleep(clock, 2_001, step)), ONCE);
    assert.deepEqual(await sends(clock, asleep(clock, 3_600_000, step), { timeout: Infinity }), ONCE);
    assert.deepEqual(await sends(clock, asleep(clock, 2_000, step)), AGAIN);
    assert.deepEqual(await sends(clock, asleep(clock, -3_600_000, step)), ONCE, 'the clock was set back');
  }
});

test('a SharePoint read knows no slow failures and is not charged for a sleep', async (t) => {
  const clock = virtualClock(t);
  for (const first of [after(100_000, answer(503)), asleep(clock, 3_600_000, noNetwork()), asleep(clock, 3_600_000, answer(429))]) {
    const { fetch, sends } = scripted(first, answer(200));
    assert.equal((await finish(clock, spFetch(LIST, { fetch }))).status, 200);
    assert.equal(sends.length, 2);
  }
});

test('the account says what was suspended and how long it took by the larger clock', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(asleep(clock, 60_000, after(100, answer(503))));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  const [attempt] = getCallInfo(response).attempts;
  assert.deepEqual([attempt.suspended, attempt.elapsedMs, attempt.decision], [true, 60_100, 'slow-failure']);
});
