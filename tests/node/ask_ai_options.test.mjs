// askAi: what it may be given, and what it makes of what is wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POST, asking, completion, fallback, fine } from './ai_bodies.mjs';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { MODEL, failure, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { askAi, getCallInfo, isSteadError } = await importFresh();
const ONCE = { maxRetries: 0 };
const ask = asking(askAi);

// ---- what it is given

test('what it sends is what aiFetch sends: our options are taken out, the rest passes, the init is not written to', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(fine);
  const init = Object.freeze({ ...POST, fetch, headers: Object.freeze({ a: 'b' }), onText: () => {}, fallbacks: Object.freeze([]), fallbackMs: 5, read: () => undefined, totalMs: 60_000, idleMs: 1_000, maxBytes: 1_000, maxRetries: 1, mode: 'cors', unknown: 7 });
  assert.equal((await finish(clock, askAi(new URL(MODEL), init))).text, 'Hello');
  const { signal, ...sent } = sends[0].init;
  assert.deepEqual(sent, { method: 'POST', body: '{}', headers: { a: 'b' }, mode: 'cors', unknown: 7 });
});

test('getters of a class are read once', async (t) => {
  const clock = virtualClock(t);
  const reads = [];
  const { fetch } = scripted(fine);
  class Init {}
  for (const [name, value] of Object.entries({ ...POST, fetch, maxBytes: 5_000, fallbacks: [], fallbackMs: 5, onText: () => {}, maxRetries: 1, signal: null, read: () => undefined, timeout: 60_000 })) {
    Object.defineProperty(Init.prototype, name, { get: () => (reads.push(name), value) });
  }
  assert.equal((await finish(clock, askAi(MODEL, new Init()))).text, 'Hello');
  assert.deepEqual(reads.filter((name, at) => reads.indexOf(name) !== at), []);
  assert.ok(reads.includes('fallbacks') && reads.includes('maxBytes'));
});

test('wrong options are EOPTION, name themselves, and nothing is sent', async (t) => {
  const clock = virtualClock(t);
  const throwing = () => { throw new Error('mine'); };
  const get = () => 'x';
  const cases = [
    [{ fallbacks: {} }, 'fallbacks'], [{ fallbacks: 'x' }, 'fallbacks'], [{ fallbacks: null }, 'fallbacks'], [{ fallbacks: new Proxy([], { get: throwing }) }, 'fallbacks'],
    [{ fallbacks: [null] }, 'fallbacks[0]'], [{ fallbacks: [, ] }, 'fallbacks[0]'], [{ fallbacks: ['cache'] }, 'fallbacks[0]'], [{ fallbacks: [get] }, 'fallbacks[0]'],
    [{ fallbacks: [{ get }] }, 'fallbacks[0].source'], [{ fallbacks: [{ get, source: 'toString' }] }, 'fallbacks[0].source'], [{ fallbacks: [{ get, source: 'model' }] }, 'fallbacks[0].source'],
    [{ fallbacks: [{ get, source: 'cache' }, { get, source: Symbol('s') }] }, 'fallbacks[1].source'], [{ fallbacks: [{ get, get source() { return throwing(); } }] }, 'fallbacks[0].source'],
    [{ fallbacks: [{ source: 'cache' }] }, 'fallbacks[0].get'], [{ fallbacks: [{ source: 'cache', get: 'x' }] }, 'fallbacks[0].get'], [{ fallbacks: [{ source: 'cache', get get() { return throwing(); } }] }, 'fallbacks[0].get'],
    [{ fallbacks: [{ source: 'cache', get, on: 'refused' }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: ['refused', 'x'] }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: [, ] }] }, 'fallbacks[0].on'],
    [{ fallbacks: [{ source: 'cache', get, on: null }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: Object.defineProperty(['error'], 0, { get: throwing }) }] }, 'fallbacks[0].on'],
    [{ fallbackMs: 0 }, 'fallbackMs'], [{ fallbackMs: NaN }, 'fallbackMs'], [{ onText: 'x' }, 'onText'], [{ onText: null }, 'onText'], [{ read: 7 }, 'read'], [{ maxBytes: -0 }, 'maxBytes'], [{ totalMs: -1 }, 'totalMs'],
    [{ idleMs: '5' }, 'idleMs'], [{ timeout: 0 }, 'timeout'], [{ maxRetries: 1.5 }, 'maxRetries'], [{ signal: {} }, 'signal'], [{ get body() { return throwing(); } }, 'body'], [7, 'init'],
  ];
  for (const [init, name] of cases) {
    const { fetch, sends } = scripted();
    const given = typeof init === 'object' ? Object.defineProperties({ method: 'POST', fetch }, Object.getOwnPropertyDescriptors(init)) : init;
    const error = await failure(clock, askAi(MODEL, given));
    assert.ok(isSteadError(error, 'EOPTION'), `${name}: ${error}`);
    assert.ok(error.message.startsWith(`\`${name}\` `), error.message);
    assert.deepEqual([sends.length, clock.countTimers()], [0, 0]);
  }
});

test('a transport that gives what is no new response is EOPTION, as with aiFetch', async (t) => {
  const clock = virtualClock(t);
  const used = new Response('x');
  await used.text();
  for (const step of [() => undefined, () => 7, () => used, async () => 'text']) {
    const error = await failure(clock, ask(scripted(step).fetch, { fallbacks: [fallback('cache', 'x')] }));
    assert.ok(isSteadError(error, 'EOPTION'), String(error));
  }
});

test('a transport that throws what looks like an error of ours is just a failure', async (t) => {
  const clock = virtualClock(t);
  for (const code of ['toString', 'constructor', '__proto__', 7, undefined]) {
    const error = Object.assign(new Error('mine'), { [Symbol.for('steadfetch.error')]: true, code });
    const { failure, message } = await finish(clock, ask(scripted(() => Promise.reject(error)).fetch));
    assert.deepEqual([failure.reason, failure.error, message], ['error', error, 'The AI service could not answer this. There is no answer.']);
  }
});

test('`headers` that throw: nothing is sent, and the fallbacks are asked', async (t) => {
  const clock = virtualClock(t);
  const mine = new Error('no token');
  const { fetch, sends } = scripted();
  const got = await finish(clock, ask(fetch, { headers: () => { throw mine; }, fallbacks: [fallback('plain', 'x')] }));
  assert.deepEqual([got.text, got.failure.reason, got.failure.error, sends.length], ['x', 'error', mine, 0]);
});

test('what the page\'s own fetch refuses is not repeated, as with aiFetch', async (t) => {
  const clock = virtualClock(t);
  const fetch = t.mock.fn(async (input, init) => new Request(input, init));
  withGlobals(t, { fetch });
  const { failure } = await finish(clock, askAi(MODEL, { ...POST, headers: { 'no header': 'x' } }));
  assert.deepEqual([failure.error instanceof TypeError, failure.reason, fetch.mock.callCount()], [true, 'unavailable', 1]);
});

test('mocks as answers: the methods of a body are enough', async (t) => {
  const clock = virtualClock(t);
  const mock = { status: 200, ok: true, json: async () => completion('Hello') };
  for (const step of [() => mock, () => ({ ...mock, status: '200' }), () => ({ ...mock, status: undefined })]) {
    assert.equal((await finish(clock, ask(scripted(step).fetch))).text, 'Hello');
  }
});

test('failure.info is the account of the call, as getCallInfo gives it', async (t) => {
  const clock = virtualClock(t);
  const error = new TypeError('Failed to fetch');
  const { failure } = await finish(clock, ask(scripted(() => Promise.reject(error)).fetch, ONCE));
  assert.deepEqual(failure.info, getCallInfo(error));
  assert.deepEqual([failure.error, failure.info.stop], [error, 'no-retries-left']);
});
