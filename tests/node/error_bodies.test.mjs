// What an AI error says beyond its status: a wait or a used-up quota in its JSON, and x-should-retry. Only a copy is
// looked into, only where it decides something, and never for long: the caller gets the answer unread.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const json = (status, body, headers) => answer(status, { ...JSON_TYPE, ...headers }, JSON.stringify(body));

/** When a call whose first answer is this was sent. */
async function sentAt(clock, step, init) {
  const { fetch, at } = scripted(step, answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch, ...init }));
  return at();
}

const OWN_WAIT = [0, 1_000];

const waits = {
  'OpenAI\'s message': [{ error: { message: 'Rate limit reached. Please try again in 6.2s.', code: 'rate_limit_exceeded' } }, 6_200],
  'Azure\'s message': [{ error: { code: '429', message: 'Please retry after 6 seconds.' } }, 6_000],
  'API Management\'s message': [{ statusCode: 429, message: 'Rate limit is exceeded. Try again in 12 seconds.' }, 12_000],
  'Google\'s details': [[{ error: { code: 429, message: 'Quota exceeded.', details: [{ '@type': 'x' }, { retryDelay: '34s' }] } }], 34_000],
};
for (const [what, [body, waitMs]] of Object.entries(waits)) {
  test(`${what} is waited out, and the last answer is handed over unread`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, at } = scripted(json(429, body), json(429, body));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, maxRetries: 1 }));
    assert.deepEqual(at(), [0, waitMs]);
    assert.equal(response.bodyUsed, false);
    assert.deepEqual(await response.json(), body);
    assert.equal(getCallInfo(response).attempts[0].waitMs, waitMs);
  });
}

test('a wait in the body that does not fit is told, and the answer given at once', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(json(429, { error: { message: 'Please retry after 86400 seconds.' } }));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  const { stop, retryAfterMs } = getCallInfo(response);
  assert.deepEqual([stop, retryAfterMs, response.bodyUsed], ['wait-exceeds-time-left', 86_400_000, false]);
});

for (const code of ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']) {
  test(`${code} is final, unless a wait is stated`, async (t) => {
    const clock = virtualClock(t);
    for (const error of [{ code }, { type: code, code: null }]) {
      const { fetch, sends } = scripted(json(429, { error: { ...error, message: 'You exceeded your current quota.' } }));
      const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, shouldRetry: () => true }));
      assert.deepEqual([sends.length, getCallInfo(response).stop], [1, 'final-status']);
      assert.equal((await response.json()).error.message, 'You exceeded your current quota.');
    }
    assert.deepEqual(await sentAt(clock, json(429, { error: { code, message: 'Please retry in 3s.' } })), [0, 3_000]);
    assert.deepEqual(await sentAt(clock, json(429, { error: { code } }, { 'Retry-After': '4' })), [0, 4_000]);
  });
}

test('words about quota in a message are only words', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await sentAt(clock, json(429, { error: { message: 'insufficient_quota: billing_not_active' } })), OWN_WAIT);
});

const silent = {
  'no JSON by its type': answer(429, { 'Content-Type': 'text/plain' }, '{"error":{"message":"retry after 60 seconds"}}'),
  'JSON cut short': answer(429, JSON_TYPE, '{"error":{"message":"retry after 60 sec'),
  'JSON of another shape': json(429, { error: 'retry after 60 seconds' }),
  'a JSON primitive': json(429, null),
  'more than 64 KB': answer(429, JSON_TYPE, JSON.stringify({ error: { message: 'retry after 60 seconds' }, filler: 'x'.repeat(65_536) })),
  'an empty body': answer(429, JSON_TYPE, ''),
  'a body that breaks': () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }), { status: 429, headers: JSON_TYPE }),
  'no way to copy it': () => ({ status: 429, headers: JSON_TYPE, text: async () => '{"error":{"message":"retry after 60 seconds"}}' }),
  'a copy that throws': () => ({ status: 429, headers: JSON_TYPE, clone: () => { throw new Error('locked'); } }),
  'a copy that never ends': () => ({ status: 429, headers: JSON_TYPE, clone: () => ({ text: () => new Promise(() => {}) }) }),
};
for (const [what, step] of Object.entries(silent)) {
  test(`an error with ${what} says nothing`, async (t) => {
    const [, second] = await sentAt(virtualClock(t), step);
    assert.equal(second, what === 'a copy that never ends' ? 1_000 + 1_000 : 1_000);
  });
}

test('a body that trickles is looked into for a second at most, and given up then', async (t) => {
  const clock = virtualClock(t);
  const cancelled = [];
  const trickling = (name) => () => new Response(new ReadableStream({ cancel: () => { cancelled.push(name); } }), { status: 429, headers: JSON_TYPE });
  const { fetch, at } = scripted(trickling('first'), answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  assert.deepEqual([at(), cancelled], [[0, 2_000], ['first']]);
});

test('no look takes longer than the time left', async (t) => {
  const clock = virtualClock(t);
  const endless = () => new Response(new ReadableStream({}), { status: 429, headers: JSON_TYPE });
  const { fetch } = scripted(after(9_600, endless));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch, timeout: 10_000, minAttemptMs: 0 }));
  assert.deepEqual([response.status, getCallInfo(response).totalMs], [429, 10_000]);
});

const uncopied = {
  'a success': [200, {}],
  'a header that states the wait': [429, {}, { 'Retry-After': '1' }],
  'a status that is final': [404, {}],
  'a status that only shouldRetry adds': [404, { shouldRetry: () => true }],
  'no retries': [429, { maxRetries: 0 }],
  'a veto': [429, { shouldRetry: () => false }],
  'a body that can be sent once': [429, { body: new Blob(['x']).stream(), duplex: 'half' }],
};
for (const [what, [status, init, headers]] of Object.entries(uncopied)) {
  test(`with ${what}, no body is copied`, async (t) => {
    const clock = virtualClock(t);
    const guarded = () => Object.assign(json(status, {}, headers)(), { clone: () => assert.fail('cloned') });
    const clones = t.mock.method(Response.prototype, 'clone');
    const { fetch } = scripted(guarded, answer(200));
    await finish(clock, aiFetch(MODEL, { ...POST, ...init, fetch }));
    assert.equal(clones.mock.callCount(), 0);
  });
}

test('a slow failure and spFetch copy no body', async (t) => {
  const clock = virtualClock(t);
  const clones = t.mock.method(Response.prototype, 'clone');
  const limited = json(429, { error: { message: 'retry after 60 seconds' } });
  await sentAt(clock, after(30_000, limited));
  const { fetch, at } = scripted(limited, answer(200));
  await finish(clock, spFetch(LIST, { fetch }));
  assert.deepEqual([at(), clones.mock.callCount()], [OWN_WAIT, 0]);
});

test('x-should-retry adds a status and takes one away, for aiFetch', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await sentAt(clock, answer(500, { 'x-should-retry': 'true' })), [0, 0]);
  assert.deepEqual(await sentAt(clock, answer(409, { 'x-should-retry': 'true' })), [0, 0]);
  assert.deepEqual(await sentAt(clock, answer(503, { 'x-should-retry': 'false' })), [0]);
  assert.deepEqual(await sentAt(clock, answer(503, { 'x-should-retry': 'false' }), { shouldRetry: () => true }), [0]);
  assert.deepEqual(await sentAt(clock, answer(500, { 'x-should-retry': 'true' }), { maxRetries: 0 }), [0]);
  assert.deepEqual(await sentAt(clock, answer(500, { 'x-should-retry': 'true' }), { shouldRetry: () => false }), [0]);
  assert.deepEqual(await sentAt(clock, answer(503, { 'x-should-retry': 'maybe' })), OWN_WAIT);
});
