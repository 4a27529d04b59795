// Hostile and broken input: every call settles, with the right error, and the engine lives on.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { importFresh, importWithoutJs, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, answer, ends, failure, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, createSpFetch, engine, explain, getCallInfo, isSteadError, readRateLimit, readRetryAfter, spFetch } = await importFresh();
const BROKEN = new Error('broken');
const throwing = () => { throw BROKEN; };
const everythingThrows = new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing, getOwnPropertyDescriptor: throwing });

afterEach(() => assert.equal(engine(), 'wasm', 'nothing stopped the engine'));

const refused = {
  'signal: {}': { signal: {} },
  'signal: true': { signal: true },
  'a signal whose getters throw': { signal: { get aborted() { return throwing(); } } },
  'a signal that is a proxy and throws': { signal: everythingThrows },
  'a getter that throws': { get method() { return throwing(); } },
  'an option\'s getter that throws': { get maxRetries() { return throwing(); } },
  'a nested getter that throws': { timeout: { get totalMs() { return throwing(); } } },
  'a nested proxy that throws': { backoff: everythingThrows },
  'an array with a getter that throws': { retryStatuses: Object.defineProperty([503], 0, { get: throwing }) },
  'a method that is no string': { method: { toString: throwing } },
  'a method that is a symbol': { method: Symbol('GET') },
  'an init that is a proxy and throws': everythingThrows,
  'an init that is no object': 'POST',
  'an init that is a number': 7,
  'headers whose getter throws': { headers: { get a() { return throwing(); } } },
  'headers that are a string': { headers: 'a: b' },
  'headers that are a number': { headers: 7 },
  'headers whose iterator throws': { headers: { [Symbol.iterator]: throwing } },
  'headers of things that are no pairs': { headers: [null] },
  'a header value that is no string': { headers: { a: Symbol('b') } },
  'a headers function that gives headers that throw': { headers: () => [everythingThrows] },
  'a headers function that gives a string': { headers: () => 'a: b' },
  'a body whose getters throw': { method: 'POST', body: everythingThrows },
};

for (const [what, init] of Object.entries(refused)) {
  test(`${what} is refused with EOPTION, and nothing is sent`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted();
    withGlobals(t, { fetch });
    for (const fetchOf of [spFetch, aiFetch]) {
      const error = await failure(clock, fetchOf(LIST, init));
      assert.ok(isSteadError(error, 'EOPTION'), String(error));
      assert.match(error.message, /^`\w+(\.\w+)?` /);
      assert.ok(error.cause === undefined || error.cause === BROKEN || error.cause instanceof TypeError, String(error.cause));
    }
    assert.equal(sends.length, 0);
    assert.equal(clock.countTimers(), 0);
  });
}

test('an input that cannot be read is refused with EOPTION', async (t) => {
  const clock = virtualClock(t);
  for (const input of [{ toString: throwing }, everythingThrows, Object.create(null), Symbol('url'), { get url() { return throwing(); } }]) {
    const { fetch, sends } = scripted();
    assert.ok(isSteadError(await failure(clock, spFetch(input, { fetch })), 'EOPTION'));
    assert.equal(sends.length, 0);
  }
});

test('an input that is no address is fetch\'s to refuse', async (t) => {
  const clock = virtualClock(t);
  for (const input of [undefined, null, 7, '', 'https://[']) {
    const seen = [];
    const fetch = async (address, init) => { seen.push(address); return new Request(address, init); };
    const outcome = await finish(clock, aiFetch(input, { method: 'POST', body: 'b', maxRetries: 0, fetch })).catch((error) => error);
    assert.ok(outcome instanceof TypeError);
    assert.deepEqual(seen, [input]);
  }
});

test('no fetch at all is a network failure', async (t) => {
  const clock = virtualClock(t);
  withGlobals(t, { fetch: undefined });
  assert.ok(await failure(clock, aiFetch(MODEL, { method: 'POST', body: 'b' })) instanceof TypeError);
});

test('a digest that is no string, or that cannot be had, ends the call before anything is sent', async (t) => {
  const clock = virtualClock(t);
  const init = { method: 'POST', body: 'b' };
  for (const digest of [throwing, () => Promise.reject(BROKEN)]) {
    const { fetch, sends } = scripted();
    assert.equal(await failure(clock, spFetch(LIST, { ...init, fetch, digest })), BROKEN);
    assert.equal(sends.length, 0);
  }
  for (const digest of [() => 7, () => undefined, async () => null, () => ({ toString: throwing })]) {
    const { fetch, sends } = scripted();
    const error = await failure(clock, spFetch(LIST, { ...init, fetch, digest }));
    assert.ok(isSteadError(error, 'EOPTION'));
    assert.match(error.message, /`digest`/);
    assert.equal(sends.length, 0);
  }
});

test('a cancel that throws, returns nothing or never ends leaves the engine alive and the answer in hand', async (t) => {
  const clock = virtualClock(t);
  for (const cancel of [throwing, () => undefined, () => new Promise(() => {})]) {
    const body = { getReader: () => ({ read: () => new Promise(() => {}), cancel }) };
    const mock = { status: 429, headers: new Headers({ 'content-type': 'application/json' }), clone: () => ({ body }) };
    const call = aiFetch(MODEL, { method: 'POST', body: 'b', maxRetries: 1, fetch: async () => ({ ...mock }) });
    assert.equal((await finish(clock, call)).status, 429);
  }
});

test('a body of endless empty chunks is not looked into for ever', async (t) => {
  const clock = virtualClock(t);
  let chunks = 0;
  const read = async () => ({ done: false, value: new Uint8Array(chunks++ % 1) });
  const body = { getReader: () => ({ read, cancel: async () => {} }) };
  const mock = { status: 429, headers: new Headers({ 'content-type': 'application/json' }), clone: () => ({ body }) };
  await finish(clock, aiFetch(MODEL, { method: 'POST', body: 'b', maxRetries: 1, fetch: async () => ({ ...mock }) }));
  assert.ok(chunks <= 2_100, `${chunks} chunks`);
});

test('an answer whose body was given up is never handed out, even if the stub resolves with it again', async (t) => {
  const clock = virtualClock(t);
  const same = new Response('busy', { status: 503 });
  const error = await failure(clock, spFetch(LIST, { fetch: async () => same }));
  assert.ok(isSteadError(error, 'EOPTION'));
  assert.match(error.message, /`fetch`.* new Response/);
  assert.match(explain(error), /no answer/);
});

for (const broken of [undefined, { warn: throwing }]) {
  test(`a console that is ${broken ? 'broken' : 'missing'} costs no answer`, async (t) => {
    const { aiFetch, engine } = await importFresh();
    withGlobals(t, { console: broken });
    const fetch = async () => answer(503)();
    const init = { method: 'POST', headers: { 'x-stainless-retry-count': '1' }, fetch };
    assert.equal((await aiFetch(MODEL, init)).status, 503);
    assert.equal(engine(), 'wasm');
  });

  test(`a refused engine and a console that is ${broken ? 'broken' : 'missing'} still send`, async (t) => {
    const { engine, readRetryAfter, spFetch } = await importWithoutJs();
    withGlobals(t, { console: broken, WebAssembly: { Module: throwing } });
    assert.equal(readRetryAfter({ 'retry-after': '1' }), null);
    assert.equal((await spFetch(LIST, { fetch: async () => answer(200)() })).status, 200);
    assert.equal(engine(), 'none');
  });
}

test('a signal that lets nobody listen or leave still ends the call where it can be asked', async (t) => {
  const clock = virtualClock(t);
  const signal = { aborted: false, addEventListener: throwing, removeEventListener: throwing };
  const { fetch, sends } = scripted(() => { signal.aborted = true; return answer(503)(); });
  const error = await failure(clock, spFetch(LIST, { fetch, signal }));
  assert.equal(error.name, 'AbortError');
  assert.equal(sends.length, 1);
});

test('a reason that cannot be read is replaced by the platform\'s', async (t) => {
  const clock = virtualClock(t);
  const signal = { aborted: true, addEventListener() {}, removeEventListener() {}, get reason() { return throwing(); } };
  assert.equal((await failure(clock, spFetch(LIST, { fetch: scripted().fetch, signal }))).name, 'AbortError');
});

test('an AbortController whose abort throws costs neither the time limit nor those of other calls', async (t) => {
  const clock = virtualClock(t);
  withGlobals(t, { AbortController: class extends AbortController { abort() { throwing(); } } });
  const calls = [1, 2].map(() => spFetch(LIST, { timeout: 1_000, fetch: () => new Promise(() => {}) }));
  assert.deepEqual((await ends(clock, calls)).map(({ code }) => code), ['ETIMEOUT', 'ETIMEOUT']);
});

test('without AbortController, calls are sent and end in time', async (t) => {
  const clock = virtualClock(t);
  withGlobals(t, { AbortController: undefined });
  const { fetch } = scripted(answer(503), () => new Promise(() => {}));
  assert.equal((await failure(clock, spFetch(LIST, { fetch, timeout: 5_000 }))).code, 'ETIMEOUT');
  assert.equal(clock.countTimers(), 0);
});

test('without performance, the wall clock does for both', async (t) => {
  const clock = virtualClock(t);
  withGlobals(t, { performance: undefined });
  const { fetch, at } = scripted(answer(429, { 'Retry-After': '2' }), answer(200));
  const init = { method: 'POST', body: 'b', fetch, deadlineHeader: 'x-deadline-ms' };
  assert.equal((await finish(clock, aiFetch(MODEL, init))).status, 200);
  assert.deepEqual(at(), [0, 2_000]);
});

test('without a random generator there is jitter all the same', async (t) => {
  const clock = virtualClock(t);
  globalThis.crypto = undefined;
  t.mock.method(Math, 'random', () => 0.5);
  const { fetch, at } = scripted(answer(503), answer(200));
  await finish(clock, spFetch(LIST, { fetch }));
  assert.deepEqual(at(), [0, 1_500]);
});

test('a clock that is set back does not lengthen or end a call', async (t) => {
  const clock = virtualClock(t);
  const setBack = () => { clock.setSystemTime(Date.now() - 86_400_000); return answer(503)(); };
  const { fetch, sends } = scripted(setBack, setBack, answer(200));
  assert.equal((await finish(clock, spFetch(LIST, { fetch }))).status, 200);
  assert.equal(sends.length, 3);
  assert.equal(clock.countTimers(), 0);
});

test('factories take anything and refuse at the call', async (t) => {
  const clock = virtualClock(t);
  for (const defaults of [everythingThrows, { get timeout() { return throwing(); } }, { timeout: NaN }, 7, 'x']) {
    assert.ok(isSteadError(await failure(clock, createSpFetch(defaults)(LIST, { fetch: scripted().fetch })), 'EOPTION'), String(typeof defaults));
  }
  for (const defaults of [undefined, null, {}]) {
    assert.equal((await finish(clock, createSpFetch(defaults)(LIST, { fetch: scripted(answer(200)).fetch }))).status, 200);
  }
});

test('questions about anything are answered', () => {
  const things = [undefined, null, 0, '', 'x', Symbol('x'), 7n, () => {}, {}, [], everythingThrows, new Response(), new Error('x'), Object.create(null)];
  for (const thing of things) {
    assert.equal(getCallInfo(thing), undefined);
    assert.equal(typeof explain(thing), 'string');
    assert.equal(isSteadError(thing), false);
    assert.equal(readRetryAfter(thing), null);
    assert.equal(readRateLimit(thing), null);
    assert.equal(readRetryAfter({ headers: thing }), null);
  }
});
