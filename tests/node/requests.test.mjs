// What reaches the transport: what `new Request(input, init)` would send, without our options, and nothing of the
// caller's is written to.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { forgetPage, importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, answer, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const OURS = {
  maxRetries: 1, timeout: { totalMs: 9_000 }, retryStatuses: [503], backoff: { baseMs: 1 }, shouldRetry() {}, onRetry() {},
  retryBudget: false, coolDown: false, endpoint: 'e', minAttemptMs: 1, onDone() {},
};

test('our options are taken out, and everything else passes, unknown members too', async (t) => {
  const clock = virtualClock(t);
  const theirs = {
    method: 'PATCH', body: 'b', mode: 'cors', credentials: 'omit', cache: 'no-store', redirect: 'manual', referrer: '',
    referrerPolicy: 'no-referrer', integrity: 'sha256-x', keepalive: true, duplex: 'half', priority: 'low', window: null,
    futureMember: 7,
  };
  const ai = { slowAfterMs: 1, circuit: false, idempotencyKey: false, idempotencyHeader: 'k', deadlineHeader: false };
  for (const [fetchOf, more] of [[spFetch, { digest: undefined }], [aiFetch, ai]]) {
    const { fetch, sends } = scripted(answer(200));
    await finish(clock, fetchOf(LIST, { ...OURS, ...theirs, ...more, fetch }));
    const { signal, ...sent } = sends[0].init;
    assert.ok(signal instanceof AbortSignal);
    assert.deepEqual(sent, theirs);
  }
});

test('the input of the caller is passed on: a string, a URL, a Request, anything that becomes a string', async (t) => {
  const clock = virtualClock(t);
  for (const input of [LIST, new URL(LIST), new Request(LIST), { toString: () => LIST }]) {
    const { fetch, sends } = scripted(answer(200));
    await finish(clock, spFetch(input, { fetch }));
    assert.equal(sends[0].input, input);
  }
});

test('the method, headers and signal of init go before those of a Request', async (t) => {
  const clock = virtualClock(t);
  const request = new Request(LIST, { method: 'POST', headers: { a: '1' }, body: 'b' });
  const { fetch } = scripted(answer(200));
  const response = await finish(clock, spFetch(request, { method: 'GET', headers: { b: '2' }, fetch }));
  assert.equal(getCallInfo(response).method, 'GET');
  assert.equal(request.bodyUsed, false);
});

test('a write without a time limit gets the caller\'s own signal', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  const { fetch, sends } = scripted(answer(200), answer(200));
  await finish(clock, spFetch(LIST, { method: 'POST', body: 'b', signal, fetch }));
  assert.equal(sends[0].init.signal, signal);
  await finish(clock, spFetch(LIST, { method: 'POST', body: 'b', fetch }));
  assert.equal('signal' in sends[1].init, false);
});

test('nothing of the caller\'s is written to, even where headers are added', async (t) => {
  const clock = virtualClock(t);
  const headers = Object.freeze({ Accept: 'text/plain' });
  const native = new Headers(headers);
  for (const given of [headers, native, [['Accept', 'text/plain']], new Map([['Accept', 'text/plain']])]) {
    const init = Object.freeze({ ...OURS, method: 'POST', body: 'b', headers: given, idempotencyKey: 'k', deadlineHeader: 'd' });
    const { fetch, sends } = scripted(answer(503), answer(200));
    await finish(clock, aiFetch(MODEL, Object.freeze({ ...init, fetch })));
    assert.deepEqual(Object.fromEntries(sends[1].headers), { accept: 'text/plain', d: '8000', 'idempotency-key': 'k' });
  }
  assert.deepEqual([...native], [['accept', 'text/plain']]);
});

test('every member is read once, however often the call is sent', async (t) => {
  const clock = virtualClock(t);
  const reads = {};
  const { fetch, sends } = scripted(answer(503), noNetwork(), answer(200));
  const members = { ...OURS, maxRetries: 2, method: 'POST', body: 'b', headers: { a: 'b' }, cache: 'no-store', signal: null, fetch };
  const counting = (target, define) => {
    for (const [name, value] of Object.entries(members)) {
      define(target, name, { enumerable: true, get: () => ((reads[name] = (reads[name] || 0) + 1), value) });
    }
    return target;
  };
  class OnPrototype {}
  counting(OnPrototype.prototype, (target, name, getter) => Object.defineProperty(target, name, { ...getter, enumerable: false }));
  const inits = [counting({}, Object.defineProperty), new OnPrototype()];
  for (const init of inits) {
    for (const name of Object.keys(reads)) delete reads[name];
    sends.length = 0;
    forgetPage();
    await finish(clock, aiFetch(MODEL, init));
    assert.equal(sends.length, 3);
    assert.deepEqual(reads, Object.fromEntries(Object.keys(members).map((name) => [name, 1])));
    assert.equal(sends[0].init.cache, 'no-store');
  }
});

const headerShapes = {
  'a record': () => ({ 'X-A': '1', 'X-B': '2' }),
  'a record with a number': () => ({ 'X-A': 1, 'X-B': 2 }),
  pairs: () => [['X-A', '1'], ['X-B', '2']],
  Headers: () => new Headers({ 'X-A': '1', 'X-B': '2' }),
  'a Map': () => new Map([['X-A', '1'], ['X-B', '2']]),
  'a generator': () => (function* () { yield ['X-A', '1']; yield ['X-B', '2']; })(),
};

for (const [shape, make] of Object.entries(headerShapes)) {
  test(`headers as ${shape} arrive on every attempt`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(answer(503), answer(200));
    await finish(clock, spFetch(LIST, { headers: make(), fetch }));
    for (const send of sends) assert.deepEqual(Object.fromEntries(send.headers), { 'x-a': '1', 'x-b': '2' });
  });
}

test('a record stays a record, for transports that look at it', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(200), answer(200));
  const init = { method: 'POST', body: 'b', headers: { 'Content-Type': 'a/b' }, fetch };
  await finish(clock, aiFetch(MODEL, init));
  await finish(clock, aiFetch(MODEL, { ...init, idempotencyKey: 'k' }));
  assert.deepEqual(sends.map((send) => send.init.headers), [{ 'Content-Type': 'a/b' }, { 'Content-Type': 'a/b', 'Idempotency-Key': 'k' }]);
});

test('Headers stay Headers, and are never the caller\'s own object', async (t) => {
  const clock = virtualClock(t);
  const headers = new Headers({ a: 'b' });
  const { fetch, sends } = scripted(answer(200));
  await finish(clock, spFetch(LIST, { headers, fetch }));
  assert.ok(sends[0].init.headers instanceof Headers);
  assert.deepEqual([...sends[0].init.headers], [['a', 'b']]);
  assert.notEqual(sends[0].init.headers, headers);
});

// ---- bodies

/** A transport that receives as fetch would, and fails once. */
function receiving(status = 503) {
  const received = [];
  const fetch = async (input, init) => {
    const request = new Request(input, init);
    const type = request.headers.get('Content-Type');
    received.push({ type: type && type.split(';')[0], text: await request.text() });
    return new Response(null, { status: received.length === 1 ? status : 200 });
  };
  return { fetch, received };
}

const form = () => {
  const data = new FormData();
  data.set('field', 'value');
  return data;
};
const replayable = {
  'a string': () => ['text/plain', 'body'],
  'JSON with its type': () => ['application/json', '{}', { 'Content-Type': 'application/json' }],
  URLSearchParams: () => ['application/x-www-form-urlencoded', new URLSearchParams({ a: 'b' })],
  'a Blob': () => ['image/png', new Blob(['body'], { type: 'image/png' })],
  'an ArrayBuffer': () => [null, new TextEncoder().encode('body').buffer],
  'a typed array': () => [null, new TextEncoder().encode('body')],
  'a DataView': () => [null, new DataView(new ArrayBuffer(4))],
  FormData: () => ['multipart/form-data', form()],
};

for (const [what, make] of Object.entries(replayable)) {
  test(`${what} is sent again, alone and in a Request`, async (t) => {
    const clock = virtualClock(t);
    const [type, body, headers] = make();
    const init = { method: 'POST', body, headers };
    for (const [input, given] of [[MODEL, init], [new Request(MODEL, init), {}], [new Request(MODEL, { method: 'POST', body: 'old' }), { body, headers }]]) {
      const { fetch, received } = receiving();
      assert.equal((await finish(clock, aiFetch(input, { ...given, fetch, circuit: false }))).status, 200);
      const [first, second] = received;
      assert.equal(received.length, 2);
      assert.equal(first.type, input === MODEL || given.body === undefined ? type : first.type);
      assert.equal(second.type, first.type);
      assert.equal(second.text.replace(/-{4,}\S+/g, ''), first.text.replace(/-{4,}\S+/g, ''));
      assert.notEqual(first.text, '');
    }
  });
}

const once = {
  'a ReadableStream': () => [MODEL, { body: new Blob(['body']).stream(), duplex: 'half' }],
  'a stream of Node\'s': () => [MODEL, { body: Readable.from(['body']), duplex: 'half' }],
  'an async generator': () => [MODEL, { body: (async function* () { yield new TextEncoder().encode('body'); })(), duplex: 'half' }],
  'a stream over the body of a Request': () => [new Request(MODEL, { method: 'POST', body: 'old' }), { body: new Blob(['body']).stream(), duplex: 'half' }],
};

for (const [what, make] of Object.entries(once)) {
  test(`${what} is sent once`, async (t) => {
    const clock = virtualClock(t);
    for (const step of [answer(503), noNetwork()]) {
      const [input, init] = make();
      const { fetch, sends } = scripted(step);
      const outcome = await finish(clock, aiFetch(input, { method: 'POST', ...init, fetch })).catch((error) => error);
      assert.deepEqual([sends.length, getCallInfo(outcome).stop], [1, 'body-not-replayable']);
      assert.equal(sends[0].init.body, init.body, 'as it came');
    }
  });
}

test('a used Request is sent once, so that fetch can say what is wrong with it', async (t) => {
  const clock = virtualClock(t);
  const request = new Request(MODEL, { method: 'POST', body: 'body' });
  await request.text();
  const { fetch, received } = receiving();
  await assert.rejects(finish(clock, aiFetch(request, { fetch })), /already been used/);
  assert.equal(received.length, 0);
});

test('a Request is left whole where no repeat is possible', async (t) => {
  const clock = virtualClock(t);
  for (const [fetchOf, init] of [[spFetch, {}], [aiFetch, { maxRetries: 0 }]]) {
    const request = new Request(MODEL, { method: 'POST', body: 'body' });
    const { fetch, sends } = scripted(answer(503));
    await finish(clock, fetchOf(request, { ...init, fetch }));
    assert.equal(sends[0].input, request);
    assert.deepEqual([request.bodyUsed, 'body' in sends[0].init], [false, false]);
  }
});

test('the transport is looked up at each call, and called as a method of the page', async (t) => {
  const clock = virtualClock(t);
  const seen = [];
  withGlobals(t, { fetch: undefined });
  for (const name of ['first', 'second']) {
    globalThis.fetch = async function () { seen.push([name, this]); return new Response(); };
    await finish(clock, spFetch(LIST));
  }
  assert.deepEqual(seen.map(([name]) => name), ['first', 'second']);
  assert.ok(seen.every(([, self]) => self === globalThis));
});
