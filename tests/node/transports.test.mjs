// Transports other than fetch: adapters of SPHttpClient, mocks, polyfills. Whatever they answer with comes back as the
// same object, and what cannot be read counts as not said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, failure, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, engine, explain, getCallInfo, isSteadError, readRateLimit, readRetryAfter, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const throwing = () => { throw new Error('unreadable'); };

/** Answers as they come, first a failing one and then 200: how often they are sent, and after which wait. */
async function play(clock, failing, init) {
  const last = { status: 200, ok: true, headers: { get: () => null } };
  const { fetch, at } = scripted(async () => failing, async () => last);
  const given = await finish(clock, spFetch(LIST, { ...init, fetch }));
  return { at: at(), given, last, failing };
}

const repeated = {
  'a plain object with a header getter': [{ status: 429, headers: { get: (name) => (name === 'retry-after' ? '5' : null) } }, 5_000],
  'a plain object with a record of headers': [{ status: 429, headers: { 'Retry-After': '5' } }, 5_000],
  'a record of headers with a number': [{ status: 429, headers: { 'retry-after': 5 } }, 5_000],
  'headers as a Map': [{ status: 429, headers: new Map([['Retry-After', '5']]) }, 5_000],
  'headers as pairs': [{ status: 429, headers: [['Retry-After', '5']] }, 5_000],
  'the status as a string': [{ status: '503', headers: { get: () => null } }, 1_000],
  'no headers': [{ status: 503 }, 1_000],
  'headers that are null': [{ status: 503, headers: null }, 1_000],
  'a get that throws': [{ status: 429, headers: { get: throwing } }, 1_000],
  'headers that throw': [{ status: 429, get headers() { return throwing(); } }, 1_000],
  'a get that returns an object': [{ status: 429, headers: { get: () => ({}) } }, 1_000],
  'a body that cannot be cancelled': [{ status: 429, headers: {}, body: { cancel: throwing } }, 1_000],
  'a body whose cancel rejects': [{ status: 429, headers: {}, body: { cancel: () => Promise.reject(new Error('locked')) } }, 1_000],
  'a body that throws': [{ status: 429, headers: {}, get body() { return throwing(); } }, 1_000],
  'a frozen object': [Object.freeze({ status: 429 }), 1_000],
  'a function': [Object.assign(() => {}, { status: 429 }), 1_000],
};

for (const [what, [failing, waitMs]] of Object.entries(repeated)) {
  test(`an answer with ${what} is repeated after ${waitMs} ms, and the last one is given as it came`, async (t) => {
    const { at, given, last } = await play(virtualClock(t), failing);
    assert.equal(given, last);
    assert.deepEqual(at, [0, waitMs]);
  });

  test(`an answer with ${what} is given as it came, when it is final`, async (t) => {
    const { at, given } = await play(virtualClock(t), failing, { maxRetries: 0, timeout: 60_000 });
    assert.equal(given, failing);
    assert.equal(at.length, 1);
    assert.equal(getCallInfo(given).stop, 'no-retries-left');
    assert.equal(typeof explain(given), 'string');
    readRetryAfter(given);
    readRateLimit(given);
  });
}

const unreadable = { 'no status': {}, 'a status that throws': { get status() { return throwing(); } }, 'a status of words': { status: 'OK' },
  'a negative status': { status: -1 }, 'a fraction of a status': { status: 429.5 }, 'an empty status': { status: '' } };
for (const [what, given] of Object.entries(unreadable)) {
  test(`an answer with ${what} is never repeated, and comes back`, async (t) => {
    const clock = virtualClock(t);
    for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, POST]]) {
      const { fetch, sends } = scripted(async () => given);
      const infos = [];
      assert.equal(await finish(clock, fetchOf(LIST, { ...init, fetch, onDone: (info) => infos.push(info) })), given);
      assert.deepEqual([sends.length, infos[0].stop, infos[0].attempts[0].status], [1, 'final-status', null]);
    }
  });
}

for (const status of [0, 200, 201, 204, 206, 304]) {
  test(`a ${status} is no failure, whatever its headers and shouldRetry say`, async (t) => {
    const clock = virtualClock(t);
    const given = { status, headers: { 'retry-after': '5', 'x-should-retry': 'true' }, clone: () => assert.fail('cloned') };
    for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, POST]]) {
      const { fetch, sends } = scripted(async () => ({ ...given }));
      const response = await finish(clock, fetchOf(LIST, { ...init, fetch, shouldRetry: () => true }));
      assert.deepEqual([sends.length, getCallInfo(response).stop, getCallInfo(response).retryAfterMs], [1, 'success', null]);
    }
  });
}

test('a transport that answers at once, without a promise, will do', async (t) => {
  const clock = virtualClock(t);
  const given = { status: 200 };
  assert.equal(await finish(clock, spFetch(LIST, { fetch: () => given })), given);
});

for (const nothing of [undefined, null, 0, 'ok', true, Symbol('x')]) {
  test(`a transport that answers with ${String(nothing)} is wrong, and asked once`, async (t) => {
    const clock = virtualClock(t);
    for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, { ...POST, shouldRetry: () => true }]]) {
      const { fetch, sends } = scripted(async () => nothing);
      const error = await failure(clock, fetchOf(LIST, { ...init, fetch }));
      assert.ok(isSteadError(error, 'EOPTION'));
      assert.match(error.message, /`fetch` must be a function that resolves with a Response/);
      assert.equal(sends.length, 1);
    }
  });
}

for (const reason of ['a string', undefined, null, 0, Symbol('x'), { status: 429 }, Object.freeze(new TypeError('x'))]) {
  test(`a transport that rejects with ${String(reason)} fails as the network does, with that very reason`, async (t) => {
    const clock = virtualClock(t);
    for (const step of [() => Promise.reject(reason), () => { throw reason; }]) {
      const { fetch, sends } = scripted(step, step);
      const infos = [];
      assert.equal(await failure(clock, spFetch(LIST, { fetch, onDone: (info) => infos.push(info) })), reason);
      assert.deepEqual([sends.length, infos[0].stop], [2, 'network']);
    }
  });
}

test('a transport that was stopped by somebody is not repeated: an AbortError is no network failure', async (t) => {
  const clock = virtualClock(t);
  const stopped = new DOMException('stopped by an interceptor', 'AbortError');
  for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, POST]]) {
    const { fetch, sends } = scripted(() => Promise.reject(stopped));
    assert.equal(await failure(clock, fetchOf(LIST, { ...init, fetch })), stopped);
    assert.equal(sends.length, 1);
  }
});

test('a name or message of an error that cannot be read breaks nothing', async (t) => {
  const clock = virtualClock(t);
  const hostile = new Proxy({}, { get: throwing, has: throwing, getPrototypeOf: throwing });
  const infos = [];
  const { fetch } = scripted(() => Promise.reject(hostile), () => Promise.reject(hostile));
  // In an array: a promise that is resolved with this object would look for its `then`.
  const [error] = await finish(clock, spFetch(LIST, { fetch, onDone: (info) => infos.push(info) })).catch((error) => [error]);
  assert.equal(error === hostile, true);
  assert.equal(infos[0].attempts[0].error, 'object');
});

test('Response-likes of a mock are told apart although one prototype makes them all', async (t) => {
  const clock = virtualClock(t);
  const make = () => Object.create({ status: 200, headers: { get: () => null } });
  const [first, second] = [make(), make()];
  await finish(clock, spFetch(LIST, { fetch: async () => first, endpoint: 'a' }));
  await finish(clock, spFetch(LIST, { fetch: async () => second, endpoint: 'b' }));
  assert.deepEqual([getCallInfo(first).endpoint, getCallInfo(second).endpoint], ['a', 'b']);
});

test('retry headers hidden by CORS are told apart from none', async (t) => {
  const clock = virtualClock(t);
  for (const [type, headers, hidden] of [['cors', {}, true], ['basic', {}, false], ['cors', { 'Retry-After': '1' }, false]]) {
    const { fetch } = scripted(async () => ({ status: 429, type, headers }));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, maxRetries: 0 }));
    assert.equal(getCallInfo(response).retryAfterHidden, hidden);
  }
});

const ownThen = (then) => () => Object.assign(Promise.resolve(new Response()), { then });
const odd = {
  'a promise whose own `then` calls back at once': [ownThen((resolve) => resolve(new Response())), 'resolves'],
  'a promise whose own `then` throws': [ownThen(throwing), 'rejects'],
  'a promise whose own `then` never calls back': [ownThen(() => {}), 'waits'],
};

for (const [what, [promise, ends]] of Object.entries(odd)) {
  test(`${what} is a transport's as any other: the call ${ends}, and the engine goes on`, async (t) => {
    const clock = virtualClock(t);
    for (const [fetchOf, input, init] of [[spFetch, LIST, {}], [aiFetch, MODEL, POST]]) {
      const call = fetchOf(input, { ...init, fetch: promise, maxRetries: 0 });
      if (ends === 'resolves') assert.equal((await finish(clock, call)).status, 200);
      else assert.match((await failure(clock, call)).message, ends === 'rejects' ? /unreadable/ : /No answer within/);
    }
    assert.equal(engine(), 'wasm');
  });
}

for (const body of ['text', 5, true, () => {}]) {
  test(`a mock whose body is a ${typeof body} is handed over`, async (t) => {
    const clock = virtualClock(t);
    const mock = { status: 200, ok: true, body };
    for (const [fetchOf, input, init] of [[spFetch, LIST, {}], [aiFetch, MODEL, { ...POST, timeout: 5_000 }]]) {
      assert.equal(await finish(clock, fetchOf(input, { ...init, fetch: async () => mock })), mock);
    }
    assert.equal(engine(), 'wasm');
    assert.equal(clock.countTimers(), 0);
  });
}
