// The function's own deadline, and the client's: an answer that can be read comes before both, whatever the model does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAsk } from '../../www/function/ask.js';
import { PAGE, QUESTION, functionApp, heldModel, until } from '../function/in_hand.mjs';
import { settle, virtualClock } from './scripted_fetch.mjs';

/** Asserts that the function gives up after exactly so many milliseconds. */
async function endsAfter(t, ms, headers, options) {
  const model = heldModel();
  const { clock, post, requests } = await functionApp(t, model, options);
  const posted = post(headers);
  posted.catch(() => {}); // a failed assertion comes first
  await until(() => model.calls.length === 1);
  await clock.tickAsync(ms - 1);
  await settle();
  assert.equal(requests[0].status, null, `answered before ${ms} ms`);
  assert.equal(model.calls[0].signal.aborted, false);
  await clock.tickAsync(1);
  await settle();
  assert.equal(requests[0].status, 500, `no answer after ${ms} ms`);
  return { response: await posted, call: model.calls[0] };
}

test('a silent model is given up 15 s before the platform would: a final 500 with words for a person', async (t) => {
  const { response, call } = await endsAfter(t, 215_000);
  assert.equal(call.signal.aborted, true);
  assert.equal(response.headers.get('x-should-retry'), 'false');
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.deepEqual(await response.json(), { error: { code: 'model_too_slow', message: 'The model took too long to answer.' } });
  call.fail(new Error('aborted')); // late, and heard by nobody
  await settle();
});

test('the time may be set', (t) => endsAfter(t, 90_000, {}, { ownMs: 90_000 }));

test('it counts from the first line: a body that came slowly has used some of it', async (t) => {
  const clock = virtualClock(t);
  const model = heldModel();
  const ask = createAsk({ askModel: model.askModel, origins: [PAGE] });
  const text = () => new Promise((resolve) => setTimeout(resolve, 100_000, QUESTION));
  let answer;
  ask({ method: 'POST', headers: new Headers(), text }, { invocationId: '1', error() {} }).then((given) => (answer = given));
  await clock.tickAsync(214_999);
  assert.equal(model.calls.length, 1);
  assert.equal(answer, undefined);
  await clock.tickAsync(1);
  assert.equal(answer.status, 500);
});

test('whether a failure was slow counts from the question to the model, not from the first line', async (t) => {
  const clock = virtualClock(t);
  const ask = createAsk({ askModel: () => Promise.reject(new TypeError('fetch failed')), origins: [PAGE] });
  const text = () => new Promise((resolve) => setTimeout(resolve, 10_000, QUESTION));
  const answering = ask({ method: 'POST', headers: new Headers(), text }, { invocationId: '1', error() {} });
  await clock.tickAsync(10_000);
  assert.equal((await answering).status, 502);
});

test('no timer is left after an answer', async (t) => {
  const clock = virtualClock(t);
  const model = heldModel();
  const ask = createAsk({ askModel: model.askModel, origins: [PAGE] });
  const answering = ask({ method: 'POST', headers: new Headers(), text: async () => QUESTION }, { invocationId: '1' });
  await settle();
  assert.equal(clock.countTimers(), 1);
  model.calls[0].answer();
  assert.equal((await answering).status, 200);
  assert.equal(clock.countTimers(), 0);
});

test('a client with less time gets its answer a second before it gives up', (t) =>
  endsAfter(t, 19_000, { 'x-deadline-ms': '20000' }));

test('a client with more time extends nothing', (t) => endsAfter(t, 215_000, { 'x-deadline-ms': '99999999999999999999' }));

for (const garbage of ['', 'soon', '-1', '+20000', '1e4', '20000.5', '0x4e20', '20000, 20000', 'NaN', 'Infinity']) {
  test(`an inbound deadline of \`${garbage}\` says nothing`, (t) => endsAfter(t, 215_000, { 'x-deadline-ms': garbage }));
}

for (const left of ['0', '1', '5999']) {
  test(`with ${left} ms left the model is not asked, and the answer comes at once`, async (t) => {
    const model = heldModel();
    const { post } = await functionApp(t, model);
    const response = await post({ 'x-deadline-ms': left });
    assert.deepEqual([response.status, response.headers.get('x-should-retry')], [500, 'false']);
    assert.equal((await response.json()).error.code, 'deadline_nearly_spent');
    assert.equal(model.calls.length, 0);
  });
}

test('with 6 s left, one of them for the way back, the model is asked', (t) => endsAfter(t, 5_000, { 'x-deadline-ms': '6000' }));
