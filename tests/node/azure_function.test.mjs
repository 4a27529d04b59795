// Both ends of the bargain together: aiFetch as a page would use it, and the function of www/function, over real
// connections and in virtual time. Whatever goes wrong in between, one question is put to the model once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../www/function/failure.js';
import { ANSWER, PAGE, QUESTION, functionApp, heldModel, passUntil, readyModel, until } from '../function/in_hand.mjs';
import { importFresh } from './fresh_package.mjs';
import { randomBits } from './scripted_fetch.mjs';

const { createAiFetch, getCallInfo, isSteadError } = await importFresh();
const aiFetch = createAiFetch({ idempotencyKey: true, deadlineHeader: 'x-deadline-ms' });
const POST = { method: 'POST', body: QUESTION, headers: { origin: PAGE, 'content-type': 'application/json' } };

/** The app, and a call of aiFetch that begins now and ends in `ended`. */
async function calling(t, model, options, init) {
  const app = await functionApp(t, model, options);
  randomBits(undefined); // keys differ
  const ended = aiFetch(app.url, { ...POST, ...init }).catch((error) => error);
  return { ...app, ended };
}

/** Ends virtual time's standstill until the call has. */
async function outcomeOf({ clock, ended }) {
  let outcome;
  ended.then((value) => (outcome = value));
  await passUntil(clock, () => outcome);
  return { outcome, info: getCallInfo(outcome) };
}

/** The first request ends like this on the way, and the rest arrive. */
function first(end) {
  let count = 0;
  return () => (count++ === 0 ? end : undefined);
}

for (const [what, init, options] of [
  ['at the platform\'s limit', {}, {}],
  ['fast', {}, { ownMs: 6_000 }],
  ['fast, by a client that repeats a 500', { retryStatuses: [500, 503], maxRetries: 5 }, { ownMs: 6_000 }],
]) {
  test(`a slow model is asked once: given up ${what}`, async (t) => {
    const model = heldModel();
    const call = await calling(t, model, options, init);
    await until(() => model.calls.length === 1);
    const { outcome, info } = await outcomeOf(call);
    assert.equal(outcome.status, 500);
    assert.equal((await outcome.json()).error.code, 'model_too_slow');
    assert.equal(info.stop, init.retryStatuses ? 'vetoed' : 'final-status');
    assert.deepEqual([model.calls.length, call.requests.length], [1, 1]);
    assert.equal(model.calls[0].signal.aborted, true);
  });
}

test('the client\'s deadline reaches the function, which answers before the client gives up', async (t) => {
  const model = heldModel();
  const call = await calling(t, model, {}, { timeout: 20_000 });
  await until(() => model.calls.length === 1);
  assert.equal(call.requests[0].headers['x-deadline-ms'], '20000');
  const { outcome, info } = await outcomeOf(call);
  assert.ok(!isSteadError(outcome, 'ETIMEOUT'));
  assert.deepEqual([outcome.status, info.attempts.length], [500, 1]);
  assert.equal(model.calls.length, 1);
});

for (const [what, end] of [['a broken connection', 'reset'], ['a gateway\'s fast 503', 503], ['a gateway\'s fast 502', 502]]) {
  test(`after ${what} the question is polled, and the answer to the first request is handed over`, async (t) => {
    const model = heldModel();
    const call = await calling(t, model, { instead: first(end) });
    await passUntil(call.clock, () => call.requests.filter(({ status }) => status === 409).length === 2);
    model.calls[0].answer();
    const { outcome, info } = await outcomeOf(call);
    assert.equal(outcome.status, 200);
    assert.equal(outcome.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(await outcome.json(), ANSWER);
    assert.equal(model.calls.length, 1);
    assert.deepEqual(call.requests.map(({ status }) => status), [200, 409, 409, 200]);
    const keys = call.requests.map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(new Set(keys), new Set([info.idempotencyKey]));
    assert.ok(info.attempts[1].waitMs >= 2_000, 'as long as the function said');
  });
}

test('a model that is too slow for a client that polls is still asked once', async (t) => {
  const model = heldModel();
  const call = await calling(t, model, { instead: first('reset') });
  const { outcome, info } = await outcomeOf(call);
  assert.equal(outcome.status, 500);
  assert.equal((await outcome.json()).error.code, 'model_too_slow');
  assert.equal(info.stop, 'final-status');
  assert.equal(model.calls.length, 1);
});

test('the model\'s own 429 is waited out as it says, and asked again', async (t) => {
  const headers = new Headers({ 'retry-after': '7' });
  const model = readyModel((call) => {
    if (call === 1) throw new ModelError(429, { headers });
    return ANSWER;
  });
  const { outcome, info } = await outcomeOf(await calling(t, model));
  assert.equal(outcome.status, 200);
  assert.deepEqual([model.calls.length, info.retryAfterMs], [2, 7_000]);
  assert.ok(info.attempts[0].waitMs >= 7_000);
});

test('a spent quota is final, since its code comes through', async (t) => {
  const model = readyModel(() => {
    throw new ModelError(429, { code: 'insufficient_quota' });
  });
  const { outcome, info } = await outcomeOf(await calling(t, model));
  assert.deepEqual([outcome.status, info.stop, model.calls.length], [429, 'final-status', 1]);
});

test('the same key for another question is refused, and not repeated', async (t) => {
  const model = readyModel();
  const app = await functionApp(t, model);
  const ask = (body) => aiFetch(app.url, { ...POST, body, idempotencyKey: 'order-17' });
  assert.equal((await ask(QUESTION)).status, 200);
  const second = await ask('{"question":"Why not?"}');
  assert.deepEqual([second.status, getCallInfo(second).stop, app.requests.length], [422, 'final-status', 2]);
});
