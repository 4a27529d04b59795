// The total time ends the operation up to the headers, and a total that the caller set covers the body, too. The time
// of one attempt runs to its headers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, asleep, failure, finish, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, isSteadError, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };

/** A body that streams until the signal ends it. */
const streaming = () => (input, { signal }) => {
  const start = (controller) => {
    controller.enqueue(new TextEncoder().encode('first'));
    if (signal) signal.addEventListener('abort', () => controller.error(signal.reason));
  };
  return new Response(new ReadableStream({ start }));
};

const totals = {
  'spFetch GET': [spFetch, LIST, {}, 120_000],
  'spFetch HEAD': [spFetch, LIST, { method: 'HEAD' }, 120_000],
  aiFetch: [aiFetch, MODEL, POST, 250_000],
  'a number': [spFetch, LIST, { timeout: 5_000 }, 5_000],
  totalMs: [aiFetch, MODEL, { ...POST, timeout: { totalMs: 7_000 } }, 7_000],
  'a write with a timeout of the caller\'s': [spFetch, LIST, { ...POST, timeout: 9_000 }, 9_000],
};

for (const [what, [fetchOf, input, init, limit]] of Object.entries(totals)) {
  test(`${what}: the call ends at exactly ${limit} ms, even where the transport ignores signals`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(silence());
    let error;
    fetchOf(input, { ...init, fetch }).catch((reason) => (error = reason));
    await clock.tickAsync(limit - 1);
    assert.equal(error, undefined);
    assert.equal(sends[0].init.signal.aborted, false);
    await clock.tickAsync(1);
    await settle();
    assert.ok(isSteadError(error, 'ETIMEOUT'));
    assert.equal(error.name, 'TimeoutError');
    assert.equal(sends[0].init.signal.aborted, true, 'the transport was told');
    assert.deepEqual([sends.length, clock.countTimers(), getCallInfo(error).stop], [1, 0, 'timeout']);
  });
}

test('a write has no time limit of its own, and neither has timeout: Infinity', async (t) => {
  const clock = virtualClock(t);
  for (const [fetchOf, init] of [[spFetch, POST], [spFetch, { timeout: Infinity }], [aiFetch, { ...POST, timeout: Infinity }]]) {
    const { fetch } = scripted(after(10 * 24 * 3_600_000, answer(200)));
    assert.equal((await finish(clock, fetchOf(LIST, { ...init, fetch }))).status, 200);
    assert.equal(clock.countTimers(), 0);
  }
});

test('the total time covers attempts and waits together', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(after(4_000, answer(503, { 'Retry-After': '3' })), silence());
  const error = await failure(clock, spFetch(LIST, { fetch, timeout: 10_000 }));
  assert.deepEqual([at(), getCallInfo(error).totalMs], [[0, 7_000], 10_000]);
  assert.deepEqual(getCallInfo(error).attempts.map((attempt) => attempt.allowedMs), [10_000, 3_000]);
});

test('an answer in the last millisecond is an answer', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(after(4_999, answer(200)));
  assert.equal((await finish(clock, spFetch(LIST, { fetch, timeout: 5_000 }))).status, 200);
});

test('attemptMs ends an attempt at its exact time: a read is sent once more, everything else is not', async (t) => {
  const clock = virtualClock(t);
  const timeout = { attemptMs: 3_000 };
  const read = scripted(silence(), after(2_999, answer(200)));
  assert.equal((await finish(clock, spFetch(LIST, { fetch: read.fetch, timeout }))).status, 200);
  assert.deepEqual(read.at(), [0, 3_000]);

  for (const [fetchOf, init] of [[spFetch, POST], [aiFetch, POST], [aiFetch, {}]]) {
    const { fetch, sends } = scripted(silence(), answer(200));
    const error = await failure(clock, fetchOf(LIST, { ...init, fetch, timeout }));
    assert.ok(isSteadError(error, 'ETIMEOUT'));
    assert.match(error.message, /3000 ms/);
    assert.deepEqual([sends.length, getCallInfo(error).totalMs, clock.countTimers()], [1, 3_000, 0]);
  }
});

test('an AI call ends by the wall, a read is given back what it slept, once', async (t) => {
  const clock = virtualClock(t);
  const slept = (call) => failure(clock, call).then((error) => getCallInfo(error).stop);
  const ai = scripted(asleep(clock, 300_000, after(10, answer(503))));
  assert.equal((await finish(clock, aiFetch(MODEL, { ...POST, fetch: ai.fetch }))).status, 503);

  const read = scripted(asleep(clock, 300_000, after(10, answer(503))), answer(200));
  assert.equal((await finish(clock, spFetch(LIST, { fetch: read.fetch }))).status, 200);
  const twice = scripted(asleep(clock, 300_000, answer(503)), asleep(clock, 300_000, answer(503)));
  const response = await finish(clock, spFetch(LIST, { fetch: twice.fetch }));
  assert.deepEqual([response.status, getCallInfo(response).stop], [503, 'wait-exceeds-time-left']);
  assert.equal(await slept(spFetch(LIST, { fetch: scripted(silence()).fetch })), 'timeout');
});

test('a hidden tab whose timer rang a minute late sends nothing after the deadline', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(503), answer(200));
  const call = spFetch(LIST, { fetch, timeout: 30_000 });
  await settle();
  clock.jump(60_000);
  const error = await failure(clock, call);
  assert.deepEqual([sends.length, error.code, error.status], [1, 'ETIMEOUT', 503]);
});

for (const [fetchOf, init] of [[spFetch, {}], [spFetch, POST], [aiFetch, POST]]) {
  test(`a time that the caller set ends the body of ${fetchOf.name} ${init.method || 'GET'} at exactly that time`, async (t) => {
    const clock = virtualClock(t);
    const { fetch } = scripted(after(2_000, streaming()));
    const response = await finish(clock, fetchOf(LIST, { ...init, fetch, timeout: 10_000 }));
    const reader = response.body.getReader();
    assert.equal((await reader.read()).value.length, 5);
    let error;
    reader.read().catch((reason) => (error = reason));
    await clock.tickAsync(7_999);
    assert.equal(error, undefined);
    await clock.tickAsync(1);
    await settle();
    assert.ok(isSteadError(error, 'ETIMEOUT'));
    assert.equal(clock.countTimers(), 0);
  });
}

test('a default deadline never cuts a body', async (t) => {
  const clock = virtualClock(t);
  for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, POST], [aiFetch, { ...POST, timeout: { attemptMs: 5_000 } }]]) {
    const { fetch, sends } = scripted(streaming());
    await finish(clock, fetchOf(LIST, { ...init, fetch }));
    assert.equal(clock.countTimers(), 0);
    await clock.tickAsync(3_600_000);
    assert.equal(sends[0].init.signal.aborted, false);
  }
});

test('the deadlines of many bodies share one timer, and each body ends at its own', async (t) => {
  const clock = virtualClock(t);
  const limits = [9_000, 3_000, 6_000];
  const ended = [];
  for (const timeout of limits) {
    const { fetch, sends } = scripted(streaming());
    await finish(clock, spFetch(LIST, { fetch, timeout }));
    sends[0].init.signal.addEventListener('abort', () => ended.push([timeout, clock.now - 1_700_000_000_000]));
  }
  assert.equal(clock.countTimers(), 1);
  await clock.tickAsync(10_000);
  assert.deepEqual(ended, [[3_000, 3_000], [6_000, 6_000], [9_000, 9_000]]);
  assert.equal(clock.countTimers(), 0);
});

test('an answer without a body leaves no timer behind', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(() => new Response(null, { status: 204 }));
  await finish(clock, spFetch(LIST, { ...POST, fetch, timeout: 10_000 }));
  assert.equal(clock.countTimers(), 0);
});

test('a body that is still bound to a deadline does not keep Node alive', async (t) => {
  const clock = virtualClock(t);
  const timers = [];
  const { setTimeout } = globalThis;
  t.mock.method(globalThis, 'setTimeout', (...args) => {
    const timer = setTimeout(...args);
    timers.push(timer);
    return timer;
  });
  const { fetch } = scripted(streaming());
  await finish(clock, spFetch(LIST, { fetch, timeout: 10_000 }));
  assert.equal(timers.at(-1).hasRef(), false);
});

test('a clock that a test took away, with our timer on it, costs no later body its end', async (t) => {
  const unread = async () => new Response(new ReadableStream({}));
  const first = FakeTimers.install({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  await spFetch(LIST, { fetch: unread, timeout: 5_000 });
  first.uninstall();
  const second = FakeTimers.install({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  t.after(() => second.uninstall());
  let signal;
  const fetch = (_, init) => { signal = init.signal; return unread(); };
  await spFetch(LIST, { fetch, timeout: 6_000 });
  await second.tickAsync(6_000);
  assert.ok(isSteadError(signal.reason, 'ETIMEOUT'));
});
