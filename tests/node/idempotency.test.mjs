// One idempotency key for one logical call: the same on every attempt, never on a read; and a call that is still
// running under it is polled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { MODEL, after, answer, failure, finish, noNetwork, randomBits, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, isSteadError, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The keys that went out, and the one on the account. */
async function keysOf(clock, input, init, ...steps) {
  const { fetch, sends } = scripted(...steps);
  const response = await finish(clock, aiFetch(input, { ...POST, fetch, ...init }));
  const keys = sends.map((send) => send.headers.get(init.idempotencyHeader || 'Idempotency-Key'));
  return [keys, getCallInfo(response).idempotencyKey];
}

test('a minted key is a UUID of version 4, the same on every attempt, and another for the next call', async (t) => {
  const clock = virtualClock(t);
  randomBits(undefined);
  const [first, key] = await keysOf(clock, MODEL, { idempotencyKey: true }, answer(503), noNetwork(), answer(200));
  assert.match(key, UUID_V4);
  assert.deepEqual(first, [key, key, key]);
  const [, next] = await keysOf(clock, MODEL, { idempotencyKey: true }, answer(200));
  assert.match(next, UUID_V4);
  assert.notEqual(next, key);
});

test('a key of the caller\'s is sent as it is, under the header that the caller names', async (t) => {
  const clock = virtualClock(t);
  const init = { idempotencyKey: 'order-17/~', idempotencyHeader: 'X-Request-Key' };
  assert.deepEqual(await keysOf(clock, MODEL, init, answer(502), answer(200)), [['order-17/~', 'order-17/~'], 'order-17/~']);
});

test('a header that the caller set is kept, and is the key of the account', async (t) => {
  const clock = virtualClock(t);
  for (const headers of [{ 'idempotency-key': 'mine' }, [['IDEMPOTENCY-KEY', 'mine']], async () => new Headers({ 'Idempotency-Key': 'mine' })]) {
    const init = { headers, idempotencyKey: true };
    assert.deepEqual(await keysOf(clock, MODEL, init, answer(502), answer(200)), [['mine', 'mine'], 'mine']);
  }
});

test('no read carries a key, and no SharePoint call', async (t) => {
  const clock = virtualClock(t);
  for (const init of [{ method: 'GET', body: undefined }, { method: 'head', body: undefined }]) {
    for (const idempotencyKey of [true, 'mine']) {
      assert.deepEqual(await keysOf(clock, MODEL, { ...init, idempotencyKey }, answer(200)), [[null], null]);
    }
  }
  const { fetch, sends } = scripted(answer(200));
  await finish(clock, spFetch(MODEL, { ...POST, fetch, idempotencyKey: true }));
  assert.deepEqual([...sends[0].headers], []);
});

/** The page's origin and address, and what other addresses are to it. */
const pages = [
  ['https://contoso.net', 'https://contoso.net/page', 'https://contoso.net/api', true],
  ['https://contoso.net', 'https://contoso.net/page', '/api', true],
  ['https://contoso.net', 'https://contoso.net/page', 'api', true],
  ['https://contoso.net', 'https://contoso.net/page', 'https://contoso.net:444/api', false],
  ['https://contoso.net', 'https://contoso.net/page', 'http://contoso.net/api', false],
  ['https://contoso.net', 'https://contoso.net/page', '//other.net/api', false],
  ['https://contoso.net', 'https://contoso.net/page', MODEL, false],
  ['https://contoso.net', 'https://contoso.net/page', 'https://[', false],
  ['null', 'about:srcdoc', '/api', false],
  ['null', 'about:srcdoc', 'data:,x', false],
  [undefined, 'https://contoso.net/page', 'https://contoso.net/api', false],
  ['https://contoso.net', undefined, 'https://contoso.net/api', true],
  ['https://contoso.net', undefined, '/api', false],
];

for (const [origin, href, url, same] of pages) {
  test(`unless asked for, ${url} gets ${same ? 'a' : 'no'} key from a page at ${href} of origin ${origin}`, async (t) => {
    const clock = virtualClock(t);
    withGlobals(t, { origin, location: href && { href } });
    const { fetch, sends } = scripted(answer(200), answer(200));
    await finish(clock, aiFetch(url, { ...POST, fetch }));
    assert.equal(sends[0].headers.has('Idempotency-Key'), same);
    await finish(clock, aiFetch(url, { ...POST, fetch, idempotencyKey: false }));
    assert.equal(sends[1].headers.has('Idempotency-Key'), false);
  });
}

test('a key can only be minted where there are random numbers', async (t) => {
  const clock = virtualClock(t);
  globalThis.crypto = undefined;
  const { fetch, sends } = scripted(answer(200));
  const error = await failure(clock, aiFetch(MODEL, { ...POST, fetch, idempotencyKey: true }));
  assert.ok(isSteadError(error, 'EOPTION'));
  assert.match(error.message, /idempotencyKey/);
  assert.equal(sends.length, 0);
  assert.equal((await finish(clock, aiFetch(MODEL, { ...POST, fetch }))).status, 200);
});

test('409 after an attempt of ours means that it is still running: it is polled under the same key until it ends', async (t) => {
  const clock = virtualClock(t);
  const polled = Array(7).fill(answer(409));
  const { fetch, at, sends } = scripted(noNetwork(), ...polled, answer(200));
  const reasons = [];
  const init = { ...POST, fetch, idempotencyKey: true, maxRetries: 1, onRetry: (event) => reasons.push(event.reason) };
  assert.equal((await finish(clock, aiFetch(MODEL, init))).status, 200);
  assert.deepEqual(at(), [0, 0, 2_000, 5_000, 9_500, 16_250, 26_375, 41_375, 56_375]);
  assert.equal(new Set(sends.map((send) => send.headers.get('Idempotency-Key'))).size, 1);
  assert.deepEqual(reasons, ['network', ...Array(7).fill('still-running')]);
});

test('a poll waits as long as the server says, and stops before the deadline', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(503), answer(409, { 'Retry-After': '40' }), answer(409), answer(409));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, idempotencyKey: true, timeout: 50_000 }));
  assert.deepEqual(at(), [0, 1_000, 41_000, 44_000]);
  assert.deepEqual([response.status, getCallInfo(response).stop], [409, 'wait-exceeds-time-left']);
});

test('409 under a key of the caller\'s is polled from the first attempt on, and without any retries', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(409), answer(409), answer(200));
  await finish(clock, aiFetch(new Request(MODEL, POST), { fetch, idempotencyKey: 'mine', maxRetries: 0 }));
  assert.deepEqual(at(), [0, 2_000, 5_000]);
});

const othersConflicts = {
  'to the first attempt under a new key': { idempotencyKey: true },
  'without a key': { idempotencyKey: false },
};
for (const [what, init] of Object.entries(othersConflicts)) {
  test(`409 ${what} is about something else, and final`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(answer(409));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, ...init }));
    assert.deepEqual([sends.length, getCallInfo(response).stop], [1, 'final-status']);
  });
}

test('409 without a key is final after a repeat, too, and 422 always', async (t) => {
  const clock = virtualClock(t);
  for (const [status, idempotencyKey] of [[409, false], [422, true], [422, 'mine']]) {
    const { fetch, sends } = scripted(answer(503), answer(status));
    await finish(clock, aiFetch(MODEL, { ...POST, fetch, idempotencyKey }));
    assert.equal(sends.length, 2);
  }
});

test('a poll that took as long as a timeout is not repeated', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(after(30_000, answer(409)));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, idempotencyKey: 'mine' }));
  assert.deepEqual([sends.length, getCallInfo(response).stop], [1, 'slow-failure']);
});
