// shouldRetry, onRetry and onDone: what they are told, what they decide, and that whatever they do breaks no call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, failure, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };

const misbehaviour = {
  'throw an error': () => { throw new Error('mine'); },
  'throw nothing': () => { throw undefined; },
  'return a promise': async () => true,
  'return a promise that rejects': async () => { throw new Error('mine'); },
  'return a number': () => 1,
  'return an object whose then throws': () => ({ get then() { throw new Error('mine'); } }),
};

for (const [what, listener] of Object.entries(misbehaviour)) {
  test(`listeners that ${what} change nothing`, async (t) => {
    const clock = virtualClock(t);
    const listeners = { shouldRetry: listener, onRetry: listener, onDone: listener };
    const { fetch, at } = scripted(answer(503), noNetwork(), answer(200));
    assert.equal((await finish(clock, spFetch(LIST, { fetch, ...listeners }))).status, 200);
    assert.deepEqual(at(), [0, 1_000, 1_000]);

    const failing = scripted(answer(500));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch: failing.fetch, ...listeners }));
    assert.deepEqual([response.status, failing.sends.length, getCallInfo(response).stop], [500, 1, 'final-status']);
  });
}

test('shouldRetry is told what ended and decides for statuses that the rules leave open', async (t) => {
  const clock = virtualClock(t);
  const contexts = [];
  const shouldRetry = (context) => {
    contexts.push(context);
    return true;
  };
  const { fetch, sends } = scripted(answer(500), answer(404), answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch, shouldRetry, endpoint: 'answers' }));
  assert.equal(sends.length, 3);
  const [first, second] = contexts;
  assert.ok(first.response instanceof Response);
  assert.deepEqual({ ...first, response: first.response.status }, {
    kind: 'ai', method: 'POST', endpoint: 'answers', attempt: 1, elapsedMs: 0, status: 500, error: null, response: 500,
  });
  assert.deepEqual([second.attempt, second.status], [2, 404]);
});

test('shouldRetry and onRetry are given the transport\'s own error', async (t) => {
  const clock = virtualClock(t);
  const error = new TypeError('Failed to fetch');
  const told = [];
  const tell = (context) => void told.push([context.error, context.status, context.response]);
  const { fetch } = scripted(() => Promise.reject(error), answer(200));
  await finish(clock, spFetch(LIST, { fetch, shouldRetry: tell, onRetry: tell }));
  assert.deepEqual(told, [[error, null, null], [error, null, null]]);
  assert.equal(told[0][0], error);
});

test('false vetoes, and nobody is asked about what cannot be repeated', async (t) => {
  const clock = virtualClock(t);
  const veto = scripted(answer(503));
  const response = await finish(clock, spFetch(LIST, { fetch: veto.fetch, shouldRetry: () => false }));
  assert.deepEqual([response.status, veto.sends.length, getCallInfo(response).stop], [503, 1, 'vetoed']);

  const shouldRetry = t.mock.fn(() => true);
  for (const [fetchOf, init, step] of [
    [spFetch, {}, answer(200)],
    [spFetch, POST, answer(503)],
    [spFetch, { maxRetries: 0 }, answer(503)],
    [aiFetch, { ...POST, slowAfterMs: 0.5, fetch: undefined }, answer(200)],
    [aiFetch, { method: 'POST', body: new ReadableStream({}), duplex: 'half' }, answer(503)],
  ]) {
    const { fetch } = scripted(step);
    await finish(clock, fetchOf(LIST, { ...init, fetch, shouldRetry }));
  }
  assert.equal(shouldRetry.mock.callCount(), 0);
});

test('true never gets past the retries that are allowed', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(500), answer(500), answer(500));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, shouldRetry: () => true }));
  assert.deepEqual([response.status, sends.length], [500, 3]);
});

test('onRetry is called before each wait, with the body of the old answer still there', async (t) => {
  const clock = virtualClock(t);
  const seen = [];
  const onRetry = (event) => seen.push([event.attempt, event.delayMs, event.reason, event.elapsedMs, event.response.bodyUsed]);
  const { fetch } = scripted(answer(503, {}, 'busy'), answer(429, { 'Retry-After': '2' }, 'busy'), answer(200));
  await finish(clock, spFetch(LIST, { fetch, onRetry }));
  assert.deepEqual(seen, [[1, 1_000, 'throttled', 0, false], [2, 2_000, 'throttled', 1_000, false]]);
});

test('onDone is told the account before the call settles, once, however it ends', async (t) => {
  const clock = virtualClock(t);
  const stops = [];
  const onDone = (info) => stops.push(info.stop);
  const order = [];
  const call = spFetch(LIST, { fetch: scripted(answer(200)).fetch, onDone: (info) => (onDone(info), order.push('done')) });
  await finish(clock, call.then(() => order.push('settled')));
  assert.deepEqual(order, ['done', 'settled']);

  const gone = new AbortController();
  gone.abort();
  await finish(clock, spFetch(LIST, { ...POST, fetch: scripted(answer(429)).fetch, onDone }));
  await failure(clock, spFetch(LIST, { ...POST, fetch: scripted(noNetwork()).fetch, onDone }));
  await failure(clock, spFetch(LIST, { fetch: () => new Promise(() => {}), timeout: 10, onDone }));
  await failure(clock, spFetch(LIST, { signal: gone.signal, onDone }));
  assert.deepEqual(stops, ['success', 'unsafe-method', 'unsafe-method', 'timeout', 'aborted']);
});

test('onDone knows its own call, where getCallInfo cannot: shared objects and primitives', async (t) => {
  const clock = virtualClock(t);
  const shared = new Response('the same for all');
  const infos = [];
  const onDone = (info) => infos.push(info);
  for (const endpoint of ['a', 'b']) await finish(clock, spFetch(LIST, { fetch: async () => shared, endpoint, onDone }));
  await failure(clock, spFetch(LIST, { ...POST, fetch: () => Promise.reject('a string'), endpoint: 'c', onDone }));
  assert.deepEqual(infos.map((info) => info.endpoint), ['a', 'b', 'c']);
  assert.deepEqual([getCallInfo(shared), getCallInfo('a string')], [undefined, undefined]);
});

test('what a listener writes into its argument stays there', async (t) => {
  const clock = virtualClock(t);
  const spoil = (argument) => {
    for (const key of Object.keys(argument)) argument[key] = 'spoilt';
  };
  const { fetch, sends } = scripted(answer(503), answer(200));
  const response = await finish(clock, spFetch(LIST, { fetch, shouldRetry: spoil, onRetry: spoil, onDone: spoil }));
  assert.deepEqual([sends.length, getCallInfo(response).stop, getCallInfo(response).attempts.length], [2, 'success', 2]);
});

test('a listener may call again: the library is not in the middle of anything', async (t) => {
  const clock = virtualClock(t);
  const inner = [];
  const again = () => {
    inner.push(spFetch(LIST, { fetch: scripted(answer(200)).fetch }));
  };
  const { fetch } = scripted(answer(503), answer(200));
  await finish(clock, spFetch(LIST, { fetch, shouldRetry: again, onRetry: again, onDone: again }));
  assert.deepEqual((await Promise.all(inner)).map((response) => response.status), [200, 200, 200]);
});
