// What `subscribe` tells of calls: each attempt, each wait, and the account at the end. No listener can change or hold up
// anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, failure, finish, noNetwork, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, createAiFetch, getCallInfo, spFetch, subscribe } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const LISTS = '/sites/{site}/_api/web/lists';
/** What belongs to the page has tests of its own. */
const OF_CALLS = ['attempt', 'retry', 'done'];

function heard(t) {
  const events = [];
  t.after(subscribe((event) => OF_CALLS.includes(event.type) && events.push(event)));
  return events;
}

test('a call tells of each attempt, of each wait, and of its end, in this order', async (t) => {
  const clock = virtualClock(t);
  const began = Date.now();
  const events = heard(t);
  const { fetch } = scripted(after(30, answer(429, { 'Retry-After': '2' })), after(5, noNetwork()), after(20, answer(200)));
  const response = await finish(clock, spFetch(LIST, { fetch }));
  await settle();
  const call = { kind: 'sp', method: 'GET', endpoint: LISTS };
  const { idempotencyKey, ...info } = getCallInfo(response);
  assert.equal(info.attempts.length, 3);
  assert.deepEqual(events, [
    { type: 'attempt', ...call, attempt: 1 },
    { type: 'retry', ...call, attempt: 1, elapsedMs: 30, status: 429, errorType: null, delayMs: 2_000, retryAfterMs: 2_000, reason: 'throttled' },
    { type: 'attempt', ...call, attempt: 2 },
    { type: 'retry', ...call, attempt: 2, elapsedMs: 2_035, status: null, errorType: 'TypeError', delayMs: 0, retryAfterMs: null, reason: 'network' },
    { type: 'attempt', ...call, attempt: 3 },
    { type: 'done', host: '{tenant}.sharepoint.com', startedAt: began, info },
  ]);
});

test('a wait before the first send and an attempt that ran into its limit are told, too', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429, { 'Retry-After': '3' }), silence(), answer(200));
  await finish(clock, spFetch(LIST, { fetch, maxRetries: 0 }));
  const events = heard(t);
  await finish(clock, spFetch(LIST, { fetch, timeout: { attemptMs: 500 } }));
  await settle();
  const waits = events.filter(({ type }) => type === 'retry').map(({ attempt, reason, delayMs, errorType }) => ({ attempt, reason, delayMs, errorType }));
  assert.deepEqual(waits, [
    { attempt: 0, reason: 'cooling-down', delayMs: 3_000, errorType: null },
    { attempt: 1, reason: 'network', delayMs: 0, errorType: 'TimeoutError' },
  ]);
});

test('however a call ends, its end is told once, with the account that `onDone` gets and without the key', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t);
  const infos = [];
  const onDone = (info) => infos.push(info);
  const gone = new AbortController();
  gone.abort();
  const ask = createAiFetch({ idempotencyKey: 'my-own-key', onDone });
  await finish(clock, ask(MODEL, { ...POST, fetch: scripted(answer(200, { 'RateLimit-Limit': '9', 'RateLimit-Remaining': '1', 'request-id': 'a1' })).fetch }));
  await finish(clock, ask(MODEL, { ...POST, fetch: scripted(answer(404)).fetch }));
  await failure(clock, ask(MODEL, { ...POST, fetch: silence(), timeout: 10 }));
  await failure(clock, ask(MODEL, { ...POST, fetch: silence(), signal: gone.signal }));
  await failure(clock, ask(MODEL, { ...POST, headers: () => Promise.reject(new Error('no token')), fetch: silence() }));
  await settle();
  const told = events.filter(({ type }) => type === 'done').map(({ info }) => info);
  assert.deepEqual(told.map(({ stop }) => stop), ['success', 'final-status', 'timeout', 'aborted', 'not-sent']);
  assert.deepEqual(told, infos.map(({ idempotencyKey, ...info }) => info));
  assert.equal(infos[0].idempotencyKey, 'my-own-key');
  assert.deepEqual([told[0].rateLimit.remaining, told[0].correlationId], [1, 'a1']);
  assert.ok(!JSON.stringify(events).includes('my-own-key'));
});

test('a call has settled and gone on before any listener hears of its end, so a slow one holds nothing up', async (t) => {
  const clock = virtualClock(t);
  const order = [];
  t.after(subscribe(({ type }) => {
    order.push(type);
    return new Promise(() => {}); // never done
  }));
  const onDone = () => order.push('onDone');
  const whole = async () => {
    await spFetch(LIST, { fetch: scripted(answer(200)).fetch, onDone });
    order.push('awaited');
  };
  await finish(clock, whole());
  await settle();
  assert.deepEqual(order, ['onDone', 'attempt', 'awaited', 'done']);
});

test('no listener runs while a call is in the middle of something', async (t) => {
  const clock = virtualClock(t);
  const order = [];
  t.after(subscribe(({ type }) => order.push(type)));
  const { fetch } = scripted(answer(503), answer(200));
  const call = spFetch(LIST, { fetch: (...args) => (order.push('sent'), fetch(...args)), onRetry: () => order.push('onRetry') });
  order.push('called');
  await finish(clock, call);
  await settle();
  const told = order.filter((what) => what !== 'retry-budget');
  assert.deepEqual(told, ['sent', 'called', 'onRetry', 'attempt', 'retry', 'sent', 'attempt', 'done']);
});

test('what a listener writes into an event stays there: for the next, for the call, and for what `onDone` was given', async (t) => {
  const clock = virtualClock(t);
  const spoil = (thing) => {
    for (const name of Object.keys(thing)) {
      if (typeof thing[name] === 'object' && thing[name] !== null) spoil(thing[name]);
      thing[name] = 'spoilt';
    }
  };
  t.after(subscribe(spoil));
  const events = heard(t);
  t.after(subscribe(spoil));
  const limits = { 'RateLimit-Limit': '9', 'RateLimit-Remaining': '1' };
  const response = await finish(clock, spFetch(LIST, { fetch: scripted(answer(503), answer(200, limits)).fetch, onDone: spoil }));
  await settle();
  assert.ok(!JSON.stringify([events, getCallInfo(response)]).includes('spoilt'));
  assert.deepEqual(events.map(({ type }) => type), ['attempt', 'retry', 'attempt', 'done']);
});

test('who subscribes later hears nothing of before, and who has left hears no more', async (t) => {
  const clock = virtualClock(t);
  const told = { early: 0, late: 0 };
  const leave = subscribe(() => told.early++);
  const call = spFetch(LIST, { fetch: scripted(answer(200)).fetch });
  leave();
  t.after(subscribe(({ type }) => type === 'attempt' && told.late++));
  await finish(clock, call);
  await settle();
  assert.deepEqual(told, { early: 0, late: 0 });
});

test('where nobody listens, no turn is taken and nothing is made', async (t) => {
  const clock = virtualClock(t);
  const then = t.mock.method(Promise.prototype, 'then');
  // With a gate there is something to tell besides, of the page.
  const turns = async (init) => {
    const { fetch } = scripted(answer(429, { 'Retry-After': '1' }));
    const before = then.mock.callCount();
    await finish(clock, spFetch(LIST, { fetch, maxRetries: 0, onDone() {}, ...init }));
    return then.mock.callCount() - before;
  };
  const unheard = await turns();
  assert.equal(await turns({ coolDown: false }), unheard);
  const end = subscribe(() => {});
  assert.ok((await turns()) > unheard);
  end();
  assert.equal(await turns(), unheard);
});

test('events hold plain data alone: no answer, no error, no body', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t);
  const { fetch } = scripted(noNetwork(), answer(503, {}, 'secret'), answer(200, {}, 'secret'));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  await settle();
  assert.ok(events.length >= 6);
  assert.deepEqual(JSON.parse(JSON.stringify(events)), events);
  assert.doesNotMatch(JSON.stringify(events), /secret|Failed to fetch/);
});
