// The account of an endpoint by itself, as the package's own readers use it: the time to the end of a body, and the
// memory that an endpoint takes.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keep } from '../../src/browser/accounts.js';
import { bodyRead } from '../../src/browser/bodies.js';
import { ANSWERED } from '../../src/browser/attempt.js';
import { counted, forgetEndpoints, medianMs } from '../../src/browser/endpoints.js';
import { quantile } from '../../src/browser/histogram.js';

beforeEach(forgetEndpoints);

/** A call that ended with this status after so long. */
function ended(answer, { status = 200, elapsedMs = 100, suspended = false, stop = 'success', endpoint = '/api' } = {}) {
  const attempts = [{ status: 503, elapsedMs: 7_000, suspended: false }, { status, elapsedMs, suspended }];
  const call = { kind: 'ai', method: 'GET', endpoint, origin: 'https://x', options: {}, ended: ANSWERED, answer, attempts };
  keep(call, answer, { totalMs: 9_000, waitedMs: 1_900, stop, retryAfterMs: null, retryAfterHidden: false, page: null });
}
const bodies = () => counted().accounts.map(({ body }) => body);
const about = (told, exact) => assert.ok(Math.abs(told / exact - 1) < 0.04, `${told} instead of ${exact}`);

test('the end of a body counts from the send of the last attempt', () => {
  const answer = {};
  ended(answer);
  bodyRead(answer, 400);
  about(quantile(bodies()[0], 0.5), 500);
});

test('a body counts for the endpoint of its call, and only where the headers did', () => {
  const good = {}, asleep = {}, failed = {}, page = {};
  ended(good, { endpoint: '/a' });
  ended(asleep, { endpoint: '/b', suspended: true });
  ended(failed, { endpoint: '/c', status: 500, stop: 'final-status' });
  ended(page, { endpoint: '/d', stop: 'final-status' });
  for (const answer of [good, asleep, failed, page]) bodyRead(answer, 1);
  assert.deepEqual(bodies().map((body) => body !== undefined), [true, false, false, false]);
});

test('what is no answer of ours, or no time, is nobody\'s sample', () => {
  const answer = {};
  ended(answer);
  for (const [of, ms] of [[{}, 1], [null, 1], ['x', 1], [answer, NaN], [answer, -1], [answer, undefined]]) bodyRead(of, ms);
  assert.deepEqual(bodies(), [undefined]);
});

/** Bytes of everything with a size that is reachable. */
function bytes(of) {
  if (ArrayBuffer.isView(of)) return of.byteLength;
  if (typeof of === 'string') return of.length * 2;
  return typeof of === 'object' && of !== null ? Object.values(of).reduce((sum, value) => sum + bytes(value), 0) : 8;
}

test('an endpoint takes the same memory after two calls and after ten thousand, below 3.8 KB without headers of limits', () => {
  const measure = () => {
    const [account] = counted().accounts;
    return bytes(account);
  };
  const call = (n) => {
    const answer = {};
    ended(answer, { elapsedMs: (n * 7919) % 200_000 });
    bodyRead(answer, n);
  };
  call(1);
  const size = measure();
  for (let n = 0; n < 10_000; n++) call(n);
  assert.equal(measure(), size);
  assert.ok(size < 3_800, `${size}`);
  assert.equal(counted().accounts.length, 1);
});

test('of an answer with many or long headers of limits little is kept', () => {
  const headers = new Map([['ratelimit', 'x'.repeat(1_000)]]);
  for (let n = 0; n < 1_000; n++) headers.set(`ratelimit-${n}`, 'x'.repeat(n));
  ended({ headers });
  const [{ limits }] = counted().accounts;
  assert.deepEqual([Object.keys(limits).length, Object.values(limits).every((value) => value.length < 200)], [20, true]);
  assert.ok(!('ratelimit' in limits));
});

test('a server that reports no limits at first is looked at in its failures and every sixteenth answer, one that does always', () => {
  let looked = [];
  const answered = (n, { said, ...how } = {}) => ended({ get headers() { return looked.push(n), new Headers(said); } }, how);
  for (let n = 1; n <= 40; n++) answered(n);
  answered(41, { status: 500, stop: 'final-status' });
  const first = Array.from({ length: 20 }, (_, n) => n + 1);
  assert.deepEqual([...new Set(looked)], [...first, 32, 41]);
  for (let n = 42; n <= 48; n++) answered(n, { said: { 'ratelimit-limit': `${n}` } });
  looked = [];
  for (let n = 49; n <= 60; n++) answered(n);
  assert.deepEqual([...new Set(looked)], Array.from({ length: 12 }, (_, n) => n + 49));
  assert.deepEqual(counted().accounts[0].limits, { 'ratelimit-limit': '48' });
});

test('the median that a repeat asks for is that of the latest samples', () => {
  const call = { kind: 'ai', method: 'GET', endpoint: '/api', origin: 'https://x' };
  const answer = (elapsedMs, count) => { for (let n = 0; n < count; n++) ended({}, { elapsedMs }); };
  answer(100, 19);
  assert.ok(Number.isNaN(medianMs(call)));
  answer(100, 1);
  about(medianMs(call), 100);
  answer(500, 21);
  about(medianMs(call), 500);
});

test('an account holds no answer: what the page forgets is collected', async () => {
  let collected = false;
  const registry = new FinalizationRegistry(() => (collected = true));
  (() => {
    const answer = { headers: new Headers({ 'ratelimit-limit': '1' }) };
    registry.register(answer, undefined);
    ended(answer);
  })();
  for (let turn = 0; turn < 50 && !collected; turn++) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  assert.ok(collected);
});
