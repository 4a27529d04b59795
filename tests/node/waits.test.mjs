// How long a repeat waits: a server's word is a floor, jitter comes only on top, and a wait that does not fit into the
// time left is not begun.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { ALMOST_ONE, LIST, MODEL, answer, failure, finish, noNetwork, randomBits, scripted, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, resetTelemetry, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
// A median of earlier tests would be what a repeat needs.
beforeEach(resetTelemetry);

/** The repeat is not sent one millisecond early, and sent then. */
async function isSentAfter(clock, waitMs, call, sends) {
  await settle();
  assert.equal(sends.length, 1);
  await clock.tickAsync(waitMs - 1);
  assert.equal(sends.length, 1, `sent before ${waitMs} ms`);
  await clock.tickAsync(1);
  await settle();
  assert.equal(sends.length, 2, `not sent at ${waitMs} ms`);
  await finish(clock, call);
}

const hints = {
  'retry-after-ms': [{ 'retry-after-ms': '1500' }, 1_500],
  'x-ms-retry-after-ms': [{ 'x-ms-retry-after-ms': '9000' }, 9_000],
  'the more exact header': [{ 'retry-after-ms': '1500', 'x-ms-retry-after-ms': '9000', 'Retry-After': '60' }, 1_500],
  'Retry-After in seconds': [{ 'Retry-After': '7' }, 7_000],
  'Retry-After in a fraction of a second': [{ 'Retry-After': '2.5' }, 2_500],
  'an IMF date': [{ 'Retry-After': 'Tue, 14 Nov 2023 22:13:50 GMT' }, 30_000],
  'an RFC 850 date': [{ 'Retry-After': 'Tuesday, 14-Nov-23 22:13:50 GMT' }, 30_000],
  'an asctime date': [{ 'Retry-After': 'Tue Nov 14 22:13:50 2023' }, 30_000],
  'a date counted from the server\'s own clock': [{ 'Retry-After': 'Tue, 14 Nov 2023 22:13:50 GMT', Date: 'Tue, 14 Nov 2023 22:13:00 GMT' }, 50_000],
};

for (const [what, [headers, hint]] of Object.entries(hints)) {
  test(`a wait stated by ${what} is a floor, with jitter only on top`, async (t) => {
    const clock = virtualClock(t); // begins on Tue, 14 Nov 2023 22:13:20 GMT
    for (const [fetchOf, input, init] of [[spFetch, LIST, {}], [aiFetch, MODEL, POST]]) {
      clock.setSystemTime(1_700_000_000_000);
      randomBits(0);
      let { fetch, sends } = scripted(answer(429, headers), answer(200));
      await isSentAfter(clock, hint, fetchOf(input, { ...init, fetch }), sends);

      clock.setSystemTime(1_700_000_000_000);
      randomBits(255);
      ({ fetch, sends } = scripted(answer(503, headers), answer(200)));
      const most = hint + Math.min(hint / 10, 1_000) * ALMOST_ONE;
      await isSentAfter(clock, Math.ceil(most), fetchOf(input, { ...init, fetch }), sends);
    }
  });
}

for (const headers of [{ 'Retry-After': '0' }, { 'Retry-After': 'Tue, 14 Nov 2023 22:13:19 GMT' }, { 'Retry-After': 'soon' }, {}]) {
  test(`${JSON.stringify(headers)} states no wait: after throttling the own back-off has a second on top`, async (t) => {
    const clock = virtualClock(t);
    let { fetch, sends } = scripted(answer(429, headers), answer(200));
    await isSentAfter(clock, 1_000, spFetch(LIST, { fetch }), sends);
    randomBits(255);
    clock.setSystemTime(1_700_000_000_000);
    ({ fetch, sends } = scripted(answer(429, headers), answer(200)));
    await isSentAfter(clock, 2_000, spFetch(LIST, { fetch }), sends);
  });
}

test('the own back-off doubles up to its cap', async (t) => {
  const clock = virtualClock(t);
  randomBits(255);
  const { fetch, at } = scripted(...Array(6).fill(answer(502)), answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch, maxRetries: 6, circuit: false, backoff: { baseMs: 1_000, capMs: 5_000 } }));
  assert.deepEqual(at(), [0, 1_000, 3_000, 7_000, 12_000, 17_000, 22_000]);
});

test('by default the first waits are up to 0.5 s for aiFetch and 1 s for spFetch', async (t) => {
  const clock = virtualClock(t);
  randomBits(255);
  for (const [call, waitMs] of [[(fetch) => aiFetch(MODEL, { ...POST, fetch }), 500], [(fetch) => spFetch(LIST, { fetch }), 1_000]]) {
    const { fetch, sends } = scripted(noNetwork(), answer(200));
    await isSentAfter(clock, waitMs, call(fetch), sends);
  }
});

const tooLong = [
  [spFetch, LIST, {}, 120_000 - 1_000],
  [spFetch, LIST, { minAttemptMs: 20_000 }, 120_000 - 20_000],
  [spFetch, LIST, { timeout: 30_000 }, 30_000 - 1_000],
  [aiFetch, MODEL, POST, 250_000 - 5_000],
];

for (const [fetchOf, input, init, longest] of tooLong) {
  test(`${fetchOf.name} ${JSON.stringify(init)} waits ${longest} ms at most, and else gives the answer in hand at once`, async (t) => {
    const clock = virtualClock(t);
    const fitting = scripted(answer(429, { 'retry-after-ms': String(longest) }), answer(200));
    assert.equal((await finish(clock, fetchOf(input, { ...init, fetch: fitting.fetch }))).status, 200);
    assert.deepEqual(fitting.at(), [0, longest]);

    const throttled = answer(429, { 'retry-after-ms': String(longest + 1) }, 'unread')();
    const { fetch, sends } = scripted(() => throttled);
    const response = await fetchOf(input, { ...init, fetch });
    assert.equal(response, throttled);
    assert.equal(await response.text(), 'unread');
    const { stop, retryAfterMs, waitedMs } = getCallInfo(response);
    assert.deepEqual([sends.length, stop, retryAfterMs, waitedMs], [1, 'wait-exceeds-time-left', longest + 1, 0]);
  });
}

for (const seconds of ['2147484', '999999999999999999999']) {
  test(`Retry-After: ${seconds} is longer than any timer: the answer is given at once, even without a deadline`, async (t) => {
    const clock = virtualClock(t);
    for (const [fetchOf, input, init] of [[spFetch, LIST, {}], [aiFetch, MODEL, POST]]) {
      const { fetch, sends } = scripted(answer(503, { 'Retry-After': seconds }));
      const response = await finish(clock, fetchOf(input, { ...init, fetch, timeout: Infinity }));
      assert.deepEqual([response.status, sends.length, getCallInfo(response).stop], [503, 1, 'wait-exceeds-time-left']);
    }
  });
}

test('a wait of weeks is waited out, if there is no deadline', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(503, { 'Retry-After': '2147482' }), answer(200));
  await finish(clock, spFetch(LIST, { fetch, timeout: Infinity }));
  assert.deepEqual(at(), [0, 2_147_482_000]);
});

test('a discarded answer is cancelled before the wait, and never the one that is returned', async (t) => {
  const clock = virtualClock(t);
  const cancelled = [];
  const streaming = (status) => () =>
    new Response(new ReadableStream({ cancel: () => cancelled.push(status) }), { status });
  const { fetch } = scripted(streaming(503), streaming(429), streaming(404));
  const response = await finish(clock, spFetch(LIST, { fetch }));
  assert.deepEqual([response.status, cancelled], [404, [503, 429]]);
});

test('a timer that rings early does not shorten a stated wait', async (t) => {
  const clock = virtualClock(t);
  const { setTimeout } = globalThis;
  t.mock.method(globalThis, 'setTimeout', (callback, ms) => setTimeout(callback, ms > 100 ? ms - 50 : ms));
  const { fetch, at } = scripted(answer(429, { 'Retry-After': '3' }), answer(200));
  await finish(clock, spFetch(LIST, { fetch }));
  assert.deepEqual(at(), [0, 3_000]);
});

test('the account and onRetry tell the wait', async (t) => {
  const clock = virtualClock(t);
  const events = [];
  const { fetch } = scripted(answer(429, { 'Retry-After': '3' }), noNetwork(), answer(200));
  const response = await finish(clock, spFetch(LIST, { fetch, onRetry: (event) => events.push(event) }));
  assert.deepEqual(events.map(({ delayMs, retryAfterMs, reason }) => [delayMs, retryAfterMs, reason]), [
    [3_000, 3_000, 'throttled'],
    [0, null, 'network'],
  ]);
  const { attempts, waitedMs, totalMs } = getCallInfo(response);
  assert.deepEqual([attempts.map((attempt) => attempt.waitMs), waitedMs, totalMs], [[3_000, 0, null], 3_000, 3_000]);
});

test('an error after a wait names what the server had asked for', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(503, { 'Retry-After': '5' }), () => new Promise(() => {}));
  const error = await failure(clock, spFetch(LIST, { fetch, timeout: 20_000 }));
  assert.deepEqual([error.code, error.status, error.retryAfterMs], ['ETIMEOUT', 503, 5_000]);
});

test('a stub of setTimeout that calls at once ends waits, and no request that is under way', async (t) => {
  virtualClock(t);
  randomBits(undefined);
  t.mock.method(globalThis, 'setTimeout', (call) => call());
  const busy = (step) => async () => {
    for (let turn = 0; turn < 50; turn++) await undefined;
    return step();
  };
  for (const [fetchOf, input, init] of [[spFetch, LIST, {}], [aiFetch, MODEL, POST]]) {
    const { fetch, sends } = scripted(busy(answer(503)), busy(answer(200)));
    const response = await fetchOf(input, { ...init, fetch });
    assert.deepEqual([response.status, sends.length], [200, 2]);
  }
});
