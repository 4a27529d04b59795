// Idempotency keys as the function honours them: one question is put to the model once, however often it arrives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../www/function/failure.js';
import { memoryKeys } from '../../www/function/idempotency.js';
import { ANSWER, functionApp, heldModel, readyModel, until } from '../function/in_hand.mjs';
import { virtualClock } from './scripted_fetch.mjs';

const KEY = { 'idempotency-key': 'order-17' };
const OTHER = JSON.stringify({ question: 'Why not?' });
const code = async (response) => (await response.json()).error.code;

test('while the first request is at work, a second is told when to ask again', async (t) => {
  const model = heldModel();
  const { post } = await functionApp(t, model);
  const first = post(KEY);
  await until(() => model.calls.length === 1);
  const second = await post(KEY);
  assert.equal(second.status, 409);
  assert.deepEqual(['retry-after', 'retry-after-ms'].map((name) => second.headers.get(name)), ['2', '2000']);
  assert.equal(await code(second), 'still_running');
  model.calls[0].answer();
  assert.equal((await first).status, 200);
  assert.equal(model.calls.length, 1);
});

test('of two requests that come at once, one is the first', async (t) => {
  const model = heldModel();
  const { post, requests } = await functionApp(t, model);
  const both = [post(KEY), post(KEY)];
  await until(() => requests.some(({ status }) => status === 409));
  model.calls[0].answer();
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 409]);
  assert.equal(model.calls.length, 1);
});

test('afterwards it gets the same answer, marked as such and without the model\'s old headers', async (t) => {
  const headers = new Headers({ 'x-ratelimit-remaining-requests': '9' });
  const model = readyModel(() => ({ ...ANSWER, headers }));
  const { post } = await functionApp(t, model);
  const [first, second] = [await post(KEY), await post(KEY)];
  const read = ({ headers }) => ['idempotency-replayed', 'x-ratelimit-remaining-requests'].map((name) => headers.get(name));
  assert.deepEqual([read(first), read(second)], [[null, '9'], ['true', null]]);
  assert.deepEqual([await first.json(), await second.json()], [ANSWER, ANSWER]);
  assert.equal(model.calls.length, 1);
});

test('another question under the same key is refused, during and after the first', async (t) => {
  const model = heldModel();
  const { post } = await functionApp(t, model);
  const first = post(KEY);
  await until(() => model.calls.length === 1);
  assert.equal((await post(KEY, OTHER)).status, 422);
  model.calls[0].answer();
  await first;
  const after = await post(KEY, OTHER);
  assert.deepEqual([after.status, await code(after)], [422, 'key_reused']);
  assert.equal(model.calls.length, 1);
});

test('another key, no key, and the same key of another person are other questions', async (t) => {
  const model = readyModel();
  const { post } = await functionApp(t, model);
  const person = (id) => ({ ...KEY, 'x-ms-client-principal-id': id });
  for (const headers of [KEY, { 'idempotency-key': 'order-18' }, {}, {}, person('ada'), person('bob')]) {
    const response = await post(headers);
    assert.deepEqual([response.status, response.headers.get('idempotency-replayed')], [200, null]);
  }
  assert.equal(model.calls.length, 6);
});

test('a failure that may be repeated is forgotten, so that a repeat asks again', async (t) => {
  const model = readyModel((call) => {
    if (call === 1) throw new ModelError(429);
    if (call === 2) throw new TypeError('fetch failed');
    return ANSWER;
  });
  const { post } = await functionApp(t, model);
  const statuses = [];
  for (let times = 0; times < 4; times++) statuses.push((await post(KEY)).status);
  assert.deepEqual(statuses, [429, 502, 200, 200]);
  assert.equal(model.calls.length, 3);
});

test('so is a refusal for want of time', async (t) => {
  const model = readyModel();
  const { post } = await functionApp(t, model);
  assert.equal((await post({ ...KEY, 'x-deadline-ms': '10' })).status, 500);
  assert.equal((await post(KEY)).status, 200);
});

test('a model that was too slow is not asked again by those who poll, but by a person who tries again', async (t) => {
  const model = heldModel();
  const { clock, post } = await functionApp(t, model);
  const first = post(KEY);
  await until(() => model.calls.length === 1);
  await clock.tickAsync(215_000);
  assert.equal((await first).status, 500);
  await clock.tickAsync(29_999);
  const polled = await post(KEY);
  assert.deepEqual([polled.status, polled.headers.get('x-should-retry'), await code(polled)], [500, 'false', 'model_too_slow']);
  assert.equal(model.calls.length, 1);
  await clock.tickAsync(1);
  const again = post(KEY);
  await until(() => model.calls.length === 2);
  model.calls[1].answer();
  assert.equal((await again).status, 200);
});

const paidFor = { 'was lost after a while': new TypeError('fetch failed'), 'cannot be read': new ModelError(200) };
for (const [what, error] of Object.entries(paidFor)) {
  test(`nor is one whose answer ${what}: it may have been paid`, async (t) => {
    const model = heldModel();
    const { clock, post } = await functionApp(t, model);
    const first = post(KEY);
    await until(() => model.calls.length === 1);
    await clock.tickAsync(5_000);
    model.calls[0].fail(error);
    assert.equal((await first).status, 500);
    const polled = await post(KEY);
    assert.deepEqual([polled.status, polled.headers.get('idempotency-replayed')], [500, 'true']);
    assert.equal(model.calls.length, 1);
  });
}

test('a store that cannot keep the answer does not cost the answer', async (t) => {
  const keys = { ...memoryKeys(), finish: async () => Promise.reject(new Error('AccountKey=secret')) };
  const { post, logged } = await functionApp(t, readyModel(), { keys });
  assert.equal((await post(KEY)).status, 200);
  assert.deepEqual(logged, ['error: ask: the key could not be noted: Error']);
});

test('a store that knows nothing ends the request before the model is asked', async (t) => {
  const keys = { ...memoryKeys(), begin: async () => Promise.reject(new Error('AccountKey=secret')) };
  const model = readyModel();
  const { post } = await functionApp(t, model, { keys });
  const response = await post(KEY);
  assert.deepEqual([response.status, await code(response)], [500, 'function_failed']);
  assert.equal(model.calls.length, 0);
});

test('answers are kept for ten minutes', async (t) => {
  const model = readyModel();
  const { clock, post } = await functionApp(t, model);
  await post(KEY);
  await clock.tickAsync(599_999);
  await post(KEY);
  assert.equal(model.calls.length, 1);
  await clock.tickAsync(1);
  await post(KEY);
  assert.equal(model.calls.length, 2);
});

test('no more than so many answers are kept, the newest', async (t) => {
  virtualClock(t);
  const keys = memoryKeys({ maxAnswers: 2 });
  for (const key of ['a', 'b', 'c']) {
    await keys.begin(key, 'body');
    await keys.finish(key, { status: 200 }, 1_000);
  }
  const states = [];
  for (const key of ['c', 'b', 'a']) states.push((await keys.begin(key, 'body')).state);
  assert.deepEqual(states, ['answered', 'answered', 'new']);
});
