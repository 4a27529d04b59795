// The account of a call, found again by what the call ended with; and the sentence for a person, which never shows an
// address, a message or a stack.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, failure, finish, noNetwork, scripted, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, explain, getCallInfo, isSteadError, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };

test('the account of an answer is complete', async (t) => {
  const clock = virtualClock(t);
  const headers = { 'Retry-After': '2', SPRequestGuid: 'a1b2', 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '2' };
  const { fetch } = scripted(after(30, answer(429, headers)), after(20, answer(200, { 'x-ms-request-id': 'c3', 'request-id': 'd4' })));
  const response = await finish(clock, spFetch(`${LIST}('Secret')?$filter=Title eq 'x'`, { fetch }));
  const info = getCallInfo(response);
  assert.match(info.endpoint, /_api/);
  assert.doesNotMatch(JSON.stringify(info), /Secret|filter|contoso/);
  assert.deepEqual({ ...info, endpoint: '' }, {
    kind: 'sp', method: 'GET', endpoint: '', totalMs: 2_050, waitedMs: 2_000, stop: 'success', retryAfterMs: 2_000,
    retryAfterHidden: false, rateLimit: null, correlationId: 'd4', page: null, idempotencyKey: null,
    attempts: [
      { startedMs: 0, elapsedMs: 30, allowedMs: 120_000, status: 429, error: null, suspended: false, waitMs: 2_000, decision: 'retry' },
      { startedMs: 2_030, elapsedMs: 20, allowedMs: 117_970, status: 200, error: null, suspended: false, waitMs: null, decision: 'success' },
    ],
  });
});

test('limits and correlation id of the last answer are told', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429, { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '30', SPRequestGuid: 'a1b2' }));
  const { correlationId, rateLimit } = getCallInfo(await finish(clock, spFetch(LIST, { fetch, maxRetries: 0 })));
  assert.deepEqual([correlationId, rateLimit.limit, rateLimit.remaining, rateLimit.resetMs], ['a1b2', 100, 0, 30_000]);
});

test('every kind of error is found again by itself', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const aborted = spFetch(LIST, { fetch: silence(), signal: controller.signal });
  controller.abort(new Error('left'));
  const errors = [
    [await failure(clock, aborted), 'aborted'],
    [await failure(clock, spFetch(LIST, { fetch: silence(), timeout: 5 })), 'timeout'],
    [await failure(clock, spFetch(LIST, { ...POST, fetch: scripted(noNetwork()).fetch })), 'unsafe-method'],
    [await failure(clock, aiFetch(MODEL, { ...POST, headers: () => Promise.reject(new Error('no token')), fetch: silence() })), 'not-sent'],
  ];
  for (const [error, stop] of errors) assert.equal(getCallInfo(error).stop, stop);
});

test('an object that two calls ended with has no account, whoever asks and when', async (t) => {
  const clock = virtualClock(t);
  const shared = [new Response('same'), new TypeError('Failed to fetch')];
  for (const of of shared) {
    const fetch = async () => { if (of instanceof Error) throw of; return of; };
    const call = () => finish(clock, spFetch(LIST, { ...POST, fetch })).catch((error) => error);
    await call();
    assert.ok(getCallInfo(of));
    for (const _ of [2, 3]) {
      await call();
      assert.equal(getCallInfo(of), undefined);
    }
  }
});

test('a primitive has no account', async (t) => {
  const clock = virtualClock(t);
  const reason = await failure(clock, spFetch(LIST, { ...POST, fetch: () => Promise.reject('a string') }));
  assert.equal(getCallInfo(reason), undefined);
});

test('an account is nobody\'s to change, and is not on the answer', async (t) => {
  const clock = virtualClock(t);
  const response = new Response();
  const before = Reflect.ownKeys(response);
  await finish(clock, spFetch(LIST, { fetch: async () => response }));
  assert.deepEqual(Reflect.ownKeys(response), before);
  const info = getCallInfo(response);
  info.attempts.pop();
  info.stop = 'x';
  assert.deepEqual([getCallInfo(response).stop, getCallInfo(response).attempts.length], ['success', 1]);
});

const pages = {
  login: ['https://login.microsoftonline.com/common/oauth2', 'text/html', LIST],
  throttle: ['https://contoso.sharepoint.com/_layouts/15/Throttle.htm', 'text/html', LIST],
  html: [LIST, 'text/html; charset=utf-8', LIST],
};
for (const [page, [url, type, input]] of Object.entries(pages)) {
  test(`a ${page} page instead of data is final and named, whatever its status`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(async () => ({ status: 200, url, redirected: true, headers: { 'content-type': type } }));
    const response = await finish(clock, spFetch(input, { fetch }));
    assert.deepEqual([sends.length, getCallInfo(response).page, getCallInfo(response).stop], [1, page, 'final-status']);
    assert.match(explain(response), /instead of data/);
  });
}

test('HTML is a page only where data was asked for', async (t) => {
  const clock = virtualClock(t);
  const html = async () => ({ status: 200, url: 'https://contoso.net/x', headers: { 'content-type': 'text/html' } });
  const { fetch } = scripted(html, html, html);
  const stops = [];
  for (const init of [{}, { headers: { Accept: 'application/json' } }, { headers: async () => [['accept', 'text/plain, application/json']] }]) {
    stops.push(getCallInfo(await finish(clock, spFetch('https://contoso.net/x', { fetch, ...init }))).page);
  }
  assert.deepEqual(stops, [null, 'html', 'html']);
});

const SECRET = 'https://contoso.sharepoint.com/sites/secret?token=s3cret';
const strangers = [
  [new DOMException(SECRET, 'AbortError'), 'The request was cancelled.'],
  [new TypeError(SECRET), 'The server could not be reached, refused this page (CORS), or you are signed out.'],
  [new RangeError(SECRET), 'The request failed.'],
  [Object.assign(new Error(SECRET), { name: SECRET, code: SECRET }), 'The request failed.'],
  [SECRET, 'The request failed.'],
  [{ message: SECRET, stack: SECRET, url: SECRET, toString: () => SECRET }, 'The request failed.'],
  [new Response(SECRET), 'The request failed.'],
];
for (const [thing, sentence] of strangers) {
  test(`of ${Object.prototype.toString.call(thing)} named ${String(thing.name).slice(0, 12)} it is said: ${sentence}`, () => {
    assert.equal(explain(thing), sentence);
  });
}

test('what is said of a call never shows address, message, stack, header or body', async (t) => {
  const clock = virtualClock(t);
  const said = [];
  const secretive = { 'Retry-After': '400', 'x-secret': 's3cret', 'request-id': 's3cret' };
  const steps = [answer(200), answer(404, secretive, SECRET), answer(429, secretive), answer(500), answer(503, secretive), answer(401), noNetwork(),
    () => Promise.reject(Object.assign(new TypeError(SECRET), { code: SECRET }))];
  for (const step of steps) {
    for (const [fetchOf, init] of [[spFetch, {}], [spFetch, POST], [aiFetch, { ...POST, idempotencyKey: 's3cret' }]]) {
      const { fetch } = scripted(step, step, step, step);
      const outcome = await finish(clock, fetchOf(SECRET, { ...init, fetch })).catch((error) => error);
      said.push(explain(outcome));
    }
  }
  assert.doesNotMatch(said.join('\n'), /secret|s3cret|contoso|https?:|Failed to fetch| at /);
  assert.ok(said.every((sentence) => /^[A-Z].*\.$/.test(sentence)));
  assert.ok(new Set(said).size >= 8, 'and says different things of different ends');
});

test('the guard knows errors of the other copy of the package, and what crossed a boundary only by its plain members', async (t) => {
  const clock = virtualClock(t);
  const other = createRequire(import.meta.url)('../../pkg/index.cjs');
  const error = await failure(clock, other.spFetch(LIST, { fetch: silence(), timeout: 5 }));
  assert.equal(isSteadError(error, 'ETIMEOUT'), true);
  assert.equal(getCallInfo(error), undefined, 'the account stays with the copy that ran the call');
  assert.equal(other.getCallInfo(error).stop, 'timeout');

  const cloned = structuredClone(error);
  assert.equal(isSteadError(cloned), false, 'a clone is an ordinary error');
  assert.equal(isSteadError(JSON.parse(JSON.stringify(error))), false);
  assert.equal(explain(cloned), 'The request failed.');
});
