// Engine 'none' (RULES: engine): one send, never a repeat, and the few promises that plain JavaScript keeps.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import FakeTimers from '@sinonjs/fake-timers';
import { importWithoutJs, recordingFetch, withGlobals } from './fresh_package.mjs';

const INPUT = 'https://contoso.sharepoint.com/_api/web/lists';
const NEVER = () => new Promise(() => {});
const refuse = () => {
  throw new EvalError('blocked by policy');
};

let spFetch, aiFetch, createAiFetch, isSteadError, calls;

beforeEach(async (t) => {
  const recording = recordingFetch();
  calls = recording.calls;
  withGlobals(t, { WebAssembly: { Module: refuse }, fetch: recording.fetch });
  t.mock.method(console, 'warn', () => {});
  ({ spFetch, aiFetch, createAiFetch, isSteadError } = await importWithoutJs());
});

test('our options are taken out and everything else passes, unknown members too', async () => {
  const init = { method: 'GET', maxRetries: 5, timeout: Infinity, coolDown: false, keepalive: true, newMember: 7 };
  await spFetch(INPUT, init);
  assert.deepEqual(calls, [{ input: INPUT, init: { method: 'GET', keepalive: true, newMember: 7 } }]);
  assert.equal(init.maxRetries, 5);
});

test('the transport gets the caller\'s own input, under its own signal', async () => {
  const input = new Request(INPUT);
  await spFetch(input, { method: 'GET' });
  assert.equal(calls[0].input, input);
  assert.deepEqual(Object.keys(calls[0].init), ['method', 'signal']);
  assert.equal(calls[0].init.signal, input.signal);
});

test('a failure is never repeated', async () => {
  let sent = 0;
  const refused = new TypeError('Failed to fetch');
  const fetch = async () => {
    sent += 1;
    throw refused;
  };
  await assert.rejects(spFetch(INPUT, { fetch }), refused);
  assert.equal(sent, 1);
});

test('the transport of a call goes before the one of the defaults, and that before the page\'s', async () => {
  const own = recordingFetch(), default_ = recordingFetch();
  const made = createAiFetch({ fetch: default_.fetch });
  await made(INPUT);
  await made(INPUT, { fetch: own.fetch });
  await made(INPUT, { fetch: undefined });
  assert.deepEqual([calls.length, default_.calls.length, own.calls.length], [0, 2, 1]);
});

test('headers as a function and the digest are asked, and the caller\'s headers stay as they are', async () => {
  const headers = new Headers({ Accept: 'application/json' });
  await spFetch(INPUT, { method: 'POST', headers: async () => headers, digest: async () => 'token' });
  assert.deepEqual(Object.fromEntries(calls[0].init.headers), { accept: 'application/json', 'x-requestdigest': 'token' });
  assert.equal(headers.has('X-RequestDigest'), false);
});

test('a read gets no digest and no idempotency key', async () => {
  await spFetch(INPUT, { digest: () => assert.fail('asked') });
  await aiFetch(INPUT, { idempotencyKey: 'k' });
  assert.deepEqual(calls.map((call) => call.init.headers), [undefined, undefined]);
});

test('the headers of a Request are kept when one is added', async () => {
  const input = new Request(INPUT, { method: 'POST', headers: { Accept: 'text/plain' } });
  await aiFetch(input, { idempotencyKey: 'k1', idempotencyHeader: 'X-Key' });
  assert.deepEqual(Object.fromEntries(calls[0].init.headers), { accept: 'text/plain', 'x-key': 'k1' });
});

test('only a string is an idempotency key that plain JavaScript can send', async () => {
  await aiFetch(INPUT, { method: 'POST', idempotencyKey: true });
  await aiFetch(INPUT, { method: 'POST', idempotencyKey: 'k1' });
  assert.deepEqual(calls.map((call) => call.init.headers), [undefined, { 'Idempotency-Key': 'k1' }]);
});

test('totalMs ends the call exactly then, with ETIMEOUT, even where the transport ignores signals', async (t) => {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  let settled;
  const call = spFetch(INPUT, { fetch: NEVER, timeout: { totalMs: 5000 } }).catch((error) => (settled = error));
  await clock.tickAsync(4999);
  assert.equal(settled, undefined);
  await clock.tickAsync(1);
  await call;
  assert.ok(isSteadError(settled, 'ETIMEOUT'));
  assert.equal(settled.name, 'TimeoutError');
});

test('a stub of setTimeout that calls at once ends the call in time: nothing is sent, no listener stays', async (t) => {
  t.mock.method(globalThis, 'setTimeout', (act) => act());
  const { signal } = new AbortController();
  await assert.rejects(spFetch(INPUT, { signal, timeout: 5000 }), (error) => isSteadError(error, 'ETIMEOUT'));
  assert.deepEqual([calls, getEventListeners(signal, 'abort')], [[], []]);
});

test('totalMs still covers the body: the transport\'s signal fires after the answer', async (t) => {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  t.after(() => clock.uninstall());
  let signal;
  const fetch = async (_, init) => {
    signal = init.signal;
    return new Response('a body');
  };
  await spFetch(INPUT, { fetch, timeout: 5000 });
  assert.equal(signal.aborted, false);
  await clock.tickAsync(5000);
  assert.ok(isSteadError(signal.reason, 'ETIMEOUT'));
});

test('after a failure no timer is left, and no listener on the caller\'s signal', async (t) => {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  t.mock.method(AbortSignal, 'any', () => assert.fail('missing before 2023')); // it takes no listener
  const { signal } = new AbortController();
  const fetch = async () => {
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    throw new TypeError('Failed to fetch');
  };
  await assert.rejects(spFetch(INPUT, { fetch, timeout: 5000, signal }), TypeError);
  assert.equal(clock.countTimers(), 0);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('an abort rejects with the caller\'s own reason at every moment', async () => {
  const reason = { mine: true };
  const before = AbortSignal.abort(reason);
  await assert.rejects(spFetch(INPUT, { signal: before, maxRetries: 1 }), (error) => error === reason);
  await assert.rejects(spFetch(INPUT, { signal: before, timeout: 5000 }), (error) => error === reason);

  const during = new AbortController();
  const call = spFetch(INPUT, { fetch: NEVER, timeout: 60_000, signal: during.signal });
  during.abort(reason);
  await assert.rejects(call, (error) => error === reason);

  const asking = new AbortController();
  const headers = async () => asking.abort(reason);
  await assert.rejects(spFetch(INPUT, { headers, signal: asking.signal }), (error) => error === reason);
  assert.equal(calls.length, 0);
});

for (const timeout of [0, -1, NaN, '5', null, { totalMs: 0 }]) {
  test(`timeout ${inspect(timeout)} is refused before anything is sent`, async () => {
    await assert.rejects(spFetch(INPUT, { timeout }), { code: 'EOPTION', message: /^`timeout(\.totalMs)?` must be milliseconds above 0, .*Infinity/ });
    assert.equal(calls.length, 0);
  });
}

test('no time limit and one beyond what timers can count both mean no timer', async (t) => {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  for (const timeout of [Infinity, 2 ** 31, { attemptMs: 5 }, {}]) await spFetch(INPUT, { timeout });
  assert.equal(clock.countTimers(), 0);
  assert.equal(calls.length, 4);
});

test('a digest is not asked for once the time is over', async () => {
  let made;
  const headers = () => new Promise((resolve) => (made = resolve));
  let asked = 0;
  const call = spFetch(INPUT, { method: 'POST', timeout: 1, headers, digest: () => asked++ });
  await assert.rejects(call, { code: 'ETIMEOUT' });
  made({});
  await new Promise(setImmediate);
  assert.deepEqual([asked, calls.length], [0, 0]);
});
