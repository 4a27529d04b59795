// An abort ends a call at every moment, with the caller's own reason, and nothing is sent afterwards.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, failure, finish, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const REASON = { why: 'the user left the page' };

/** Aborts. */
function isEndedBy(clock, controller, call, sends, count) {
  controller.abort(REASON);
  return isOver(clock, controller, call, sends, count);
}

/** The call has been aborted: everything is over, and stays over. */
async function isOver(clock, controller, call, sends, count) {
  assert.equal(await failure(clock, call), REASON);
  assert.equal(clock.countTimers(), 0);
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  await clock.tickAsync(600_000);
  assert.equal(sends.length, count);
}

const kinds = { 'spFetch GET': [spFetch, LIST, {}], 'spFetch POST': [spFetch, LIST, POST], 'aiFetch POST': [aiFetch, MODEL, POST] };

for (const [what, [fetchOf, input, init]] of Object.entries(kinds)) {
  const call = (controller, fetch, more) => fetchOf(input, { ...init, ...more, fetch, signal: controller.signal });

  test(`${what}: aborted before, nothing is asked and nothing is sent`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    controller.abort(REASON);
    const { fetch, sends } = scripted();
    const asked = t.mock.fn();
    const pending = call(controller, fetch, { headers: asked, digest: asked, onRetry: asked, shouldRetry: asked });
    await isEndedBy(clock, controller, pending, sends, 0);
    assert.equal(asked.mock.callCount(), 0);
  });

  test(`${what}: aborted during a request, the transport is told`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const { fetch, sends } = scripted(after(1_000, answer(200)));
    const pending = call(controller, fetch);
    await clock.tickAsync(500);
    await isEndedBy(clock, controller, pending, sends, 1);
    assert.equal(sends[0].init.signal.reason, REASON);
  });

  test(`${what}: aborted during a request to a transport that does not listen`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const { fetch, sends } = scripted(silence());
    const pending = call(controller, fetch);
    await clock.tickAsync(500);
    await isEndedBy(clock, controller, pending, sends, 1);
  });

  test(`${what}: aborted while headers are made`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const { fetch, sends } = scripted();
    let made;
    const headers = () => new Promise((resolve) => (made = resolve));
    const digest = t.mock.fn();
    const pending = call(controller, fetch, { headers, digest });
    await settle();
    const ended = isEndedBy(clock, controller, pending, sends, 0);
    await settle();
    made({ Authorization: 'too late' });
    await ended;
    assert.equal(digest.mock.callCount(), 0, 'a digest costs a request');
  });
}

test('aborted while the digest is fetched', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const { fetch, sends } = scripted();
  const pending = spFetch(LIST, { ...POST, fetch, signal: controller.signal, digest: () => new Promise(() => {}) });
  await settle();
  await isEndedBy(clock, controller, pending, sends, 0);
});

for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, POST]]) {
  test(`${fetchOf.name}: aborted during a wait, at its first and at its last moment`, async (t) => {
    const clock = virtualClock(t);
    for (const ms of [0, 1, 29_999]) {
      const controller = new AbortController();
      const { fetch, sends } = scripted(answer(429, { 'Retry-After': '30' }), answer(200));
      const pending = fetchOf(LIST, { ...init, fetch, signal: controller.signal });
      await clock.tickAsync(ms);
      await isEndedBy(clock, controller, pending, sends, 1);
    }
  });

  test(`${fetchOf.name}: aborted by a listener of the call`, async (t) => {
    const clock = virtualClock(t);
    for (const [name, headers] of [['onRetry'], ['shouldRetry'], ['shouldRetry', { 'Retry-After': '10000' }]]) {
      const controller = new AbortController();
      const { fetch, sends } = scripted(answer(429, headers), answer(200));
      const listener = () => (controller.abort(REASON), true);
      const pending = fetchOf(LIST, { ...init, fetch, signal: controller.signal, [name]: listener });
      await isOver(clock, controller, pending, sends, 1);
    }
  });

  test(`${fetchOf.name}: aborted by the transport itself, just before it answers or fails`, async (t) => {
    const clock = virtualClock(t);
    for (const step of [answer(200), answer(429), () => Promise.reject(new TypeError('Failed to fetch'))]) {
      const controller = new AbortController();
      const { fetch, sends } = scripted(() => (controller.abort(REASON), step()));
      const pending = fetchOf(LIST, { ...init, fetch, signal: controller.signal });
      await isOver(clock, controller, pending, sends, 1);
    }
  });
}

test('aborted while an error\'s body is looked into', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const trickling = () => new Response(new ReadableStream({}), { status: 429, headers: { 'Content-Type': 'application/json' } });
  const { fetch, sends } = scripted(trickling, answer(200));
  const pending = aiFetch(MODEL, { ...POST, fetch, signal: controller.signal });
  await settle();
  await isEndedBy(clock, controller, pending, sends, 1);
});

/** A body that ends with the signal it was sent with, as that of fetch does. */
const streaming = (input, { signal }) => {
  const start = (controller) => signal.addEventListener('abort', () => controller.error(signal.reason));
  return new Response(new ReadableStream({ start }));
};

for (const any of ['with', 'without']) {
  test(`aborted while the body streams, ${any} AbortSignal.any`, async (t) => {
    const clock = virtualClock(t);
    if (any === 'without') withoutAny(t);
    for (const [fetchOf, input, init] of Object.values(kinds)) {
      for (const timeout of [undefined, 60_000, Infinity]) {
        const controller = new AbortController();
        const { fetch, sends } = scripted(streaming);
        const response = await finish(clock, fetchOf(input, { ...init, fetch, timeout, signal: controller.signal }));
        const reading = response.text();
        await settle();
        controller.abort(REASON);
        await assert.rejects(reading, (error) => error === REASON);
        assert.equal(sends.length, 1);
      }
    }
  });
}

function withoutAny(t) {
  const { any } = AbortSignal;
  delete AbortSignal.any;
  t.after(() => Object.defineProperty(AbortSignal, 'any', { value: any, configurable: true, writable: true }));
}

test('after the answer, no listener is left on a signal that lives on', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  for (const [fetchOf, input, init] of Object.values(kinds)) {
    const { fetch } = scripted(answer(404, {}, 'none'));
    await finish(clock, fetchOf(input, { ...init, fetch, signal }));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  }
});

test('any reason is passed on as it is, also undefined\'s stand-in and falsy ones', async (t) => {
  const clock = virtualClock(t);
  for (const reason of [0, '', null, false, new Error('mine'), Symbol('mine')]) {
    const controller = new AbortController();
    const pending = spFetch(LIST, { fetch: silence(), signal: controller.signal });
    controller.abort(reason);
    assert.equal(await failure(clock, pending), reason);
  }
  const controller = new AbortController();
  controller.abort();
  const error = await failure(clock, spFetch(LIST, { fetch: silence(), signal: controller.signal }));
  assert.equal(error, controller.signal.reason);
  assert.equal(error.name, 'AbortError');
});

test('the account of an abort says when it came', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const reason = new Error('left');
  const infos = [];
  const { fetch } = scripted(answer(503, { 'Retry-After': '30' }));
  const pending = spFetch(LIST, { fetch, signal: controller.signal, onDone: (info) => infos.push(info) });
  await clock.tickAsync(12_000);
  controller.abort(reason);
  await failure(clock, pending);
  const [{ stop, totalMs, waitedMs, retryAfterMs }] = infos;
  assert.deepEqual({ stop, totalMs, waitedMs, retryAfterMs }, { stop: 'aborted', totalMs: 12_000, waitedMs: 12_000, retryAfterMs: 30_000 });
  assert.deepEqual(getCallInfo(reason), infos[0]);
});

test('the signal of a Request counts, and that of init goes before it', async (t) => {
  const clock = virtualClock(t);
  const [ofRequest, ofInit] = [new AbortController(), new AbortController()];
  const request = new Request(LIST, { signal: ofRequest.signal });
  const { fetch, sends } = scripted(silence(), silence(), answer(200));
  const first = spFetch(request, { fetch });
  const second = spFetch(request, { fetch, signal: ofInit.signal });
  const third = spFetch(request, { fetch, signal: null });
  ofRequest.abort(REASON);
  assert.equal(await failure(clock, first), REASON);
  assert.equal((await finish(clock, third)).status, 200, 'null removes the signal of the Request');
  assert.equal(clock.countTimers(), 1, 'the second call goes on');
  ofInit.abort(REASON);
  assert.equal(await failure(clock, second), REASON);
  assert.equal(sends.length, 3);
});

test('a signal of another kind will do, if it behaves like one', async (t) => {
  const clock = virtualClock(t);
  const listeners = new Set();
  const signal = {
    aborted: false,
    reason: undefined,
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
  const { fetch, sends } = scripted(silence());
  const pending = spFetch(LIST, { fetch, signal });
  await settle();
  Object.assign(signal, { aborted: true, reason: REASON });
  for (const listener of listeners) listener();
  assert.equal(await failure(clock, pending), REASON);
  assert.equal(sends[0].init.signal.reason, REASON);
  assert.equal(listeners.size, 0);
});

test('aborted while a refused digest is looked into, at every turn of it', async (t) => {
  const clock = virtualClock(t);
  for (let turns = 0; turns < 4; turns++) {
    const controller = new AbortController();
    const { fetch, sends } = scripted(answer(403, {}, '-2130575252'));
    let given;
    const looked = async (input, init) => (given = await fetch(input, init));
    const pending = spFetch(LIST, { ...POST, fetch: looked, signal: controller.signal, digest: async () => 'd' });
    while (!given) await undefined;
    for (let turn = 0; turn <= turns; turn++) await undefined;
    await isEndedBy(clock, controller, pending, sends, 1);
  }
});

test('an abort and a limit in the same turn: the abort wins', async (t) => {
  const clock = virtualClock(t);
  for (const more of [{ fetch: silence() }, { headers: silence() }, { timeout: { attemptMs: 1_000 }, fetch: silence() }]) {
    const controller = new AbortController();
    const call = spFetch(LIST, { timeout: 1_000, ...more, signal: controller.signal });
    await settle();
    setTimeout(() => controller.abort(REASON), 999);
    await settle();
    clock.tick(1_000);
    assert.equal(await failure(clock, call), REASON);
  }
});

test('aborted while an answer without a stream of its own is read: the transport is told at once', async (t) => {
  virtualClock(t);
  for (const body of [undefined, 'text']) {
    for (const [name, [send, input, init]] of Object.entries(kinds)) {
      const controller = new AbortController();
      let told;
      const fetch = async (_, { signal }) => {
        told = signal;
        return { status: 200, headers: new Headers(), ...(body === undefined ? {} : { body }) };
      };
      const answered = await send(input, { ...init, fetch, signal: controller.signal });
      controller.abort(REASON);
      assert.deepEqual([told.aborted, told.reason, answered.status], [true, REASON, 200], `${name}, ${body}`);
    }
  }
});

test('aborted during a request, the transport is told within the abort itself', async (t) => {
  const clock = virtualClock(t);
  for (const [send, input, init] of Object.values(kinds)) {
    const controller = new AbortController();
    let told;
    const call = send(input, { ...init, signal: controller.signal, fetch: (_, { signal }) => ((told = signal), new Promise(() => {})) });
    controller.abort(REASON);
    assert.deepEqual([told.aborted, told.reason], [true, REASON]);
    assert.equal(await failure(clock, call), REASON);
  }
});
