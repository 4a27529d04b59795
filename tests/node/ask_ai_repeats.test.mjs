// askAi: an error that begins a 200 is repeated by the rules of aiFetch, nothing else is, and one deadline covers it all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, POST, REASONS, asking, completion, event, fine, finished, held, json, overloaded, says, stream, withBody } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { MODEL, after, answer, failure, finish, noNetwork, scripted, serving, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, askAi, telemetry } = await importFresh();
const ONCE = { maxRetries: 0 };
const ask = asking(askAi);

// ---- what is repeated

test('an error that begins a 200 is repeated as the failure that it is: same key, new send, one answer', async (t) => {
  const clock = virtualClock(t);
  const told = [], retries = [], done = [];
  const { fetch, sends, at } = scripted(stream(': hello\n\n', event(overloaded())), json({ error: { code: 'rate_limit_exceeded' } }), fine);
  const call = ask(fetch, {
    idempotencyKey: true, onText: (text) => told.push(text), onDone: (info) => done.push(info),
    onRetry: ({ attempt, status, reason, error, response }) => retries.push([attempt, status, reason, error, response.status]),
  });
  const { text, source, failure } = await finish(clock, call);
  assert.deepEqual([text, source, failure, told], ['Hello', 'model', null, ['Hel', 'lo']]);
  assert.deepEqual(at(), [0, 0, 1_000]);
  const keys = new Set(sends.map(({ headers }) => headers.get('Idempotency-Key')));
  assert.equal(keys.size, 1);
  assert.match([...keys][0], /^[0-9a-f-]{36}$/);
  assert.deepEqual(retries.map(([attempt, status, , error, of]) => [attempt, status, error, of]), [[1, 529, null, 529], [2, 429, null, 429]]);
  assert.deepEqual(done.map(({ stop, attempts }) => [stop, attempts.map(({ status }) => status)]), [['success', [529, 429, 200]]]);
});

test('the wait that an error in a 200 states, in its body or a header, is a floor', async (t) => {
  const clock = virtualClock(t);
  for (const step of [
    json({ error: { code: 'rate_limit_exceeded', message: 'Please retry after 7 seconds.' } }),
    json({ error: { code: 'rate_limit_exceeded' } }, { 'Retry-After': '7' }),
    json({ error: { code: 'rate_limit_exceeded' } }, { 'retry-after-ms': '7000' }),
  ]) {
    const { fetch, at } = scripted(step, fine);
    const { text } = await finish(clock, ask(fetch));
    assert.deepEqual([text, at()], ['Hello', [0, 7_000]]);
  }
  const { fetch, sends } = scripted(json({ error: { code: 'rate_limit_exceeded', message: 'Please retry after 7 seconds.' } }));
  const { failure, result } = await finish(clock, ask(fetch, { timeout: 6_000 }));
  assert.deepEqual([sends.length, failure.info.stop, failure.info.retryAfterMs, result.retryAfterMs], [1, 'wait-exceeds-time-left', 7_000, 7_000]);
});

const final = {
  'text came before it': stream(says('a'), event(overloaded())),
  'the stream was cut': stream(': hello\n\n'),
  'it is refused': json(completion(null, 'content_filter')),
  'it is truncated': json(completion('Hel', 'length')),
  'money is used up': json({ error: { code: 'insufficient_quota' } }),
  'the key is wrong': json({ error: { code: 'invalid_api_key' } }),
  'time ran out behind a gateway': json({ error: { code: 'timeout' } }),
  'the wait is a day': json({ error: { code: 'rate_limit_exceeded', message: 'Please retry after 86400 seconds.' } }),
  'it is no answer': json({ a: 1 }),
  'it is a page': () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  'the server says no': json(overloaded(), { 'Content-Type': 'application/json', 'x-should-retry': 'false' }),
};

for (const [why, step] of Object.entries(final)) {
  test(`a 200 that is no answer is asked for once when ${why}`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(step);
    const { failure } = await finish(clock, ask(fetch, { onText: () => {} }));
    assert.equal(sends.length, 1);
    assert.ok(REASONS.includes(failure.reason));
  });
}

test('an error in a 200 that came slowly is never repeated, by the headers or by the body', async (t) => {
  const clock = virtualClock(t);
  const late = (ms) => () => {
    const pipe = held();
    setTimeout(() => pipe.push(event(overloaded())), ms);
    return pipe.response;
  };
  for (const [step, sent] of [[after(29_999, json(overloaded())), 2], [after(30_000, json(overloaded())), 1], [late(29_998), 2], [late(30_000), 1], [after(15_000, late(14_998)), 2], [after(15_000, late(15_000)), 1]]) {
    const { fetch, sends } = scripted(step, fine);
    const got = await finish(clock, ask(fetch));
    assert.deepEqual([sends.length, got.source], [sent, sent === 2 ? 'model' : 'none']);
    assert.equal(clock.countTimers(), 0);
  }
  const { fetch, sends } = scripted(late(600), fine);
  assert.equal((await finish(clock, ask(fetch, { slowAfterMs: 500 }))).failure.result.errorKind, 'overloaded');
  assert.equal(sends.length, 1);
});

test('maxRetries, budget and retryStatuses hold for errors in a 200, too', async (t) => {
  const clock = virtualClock(t);
  for (const [init, sent, stop] of [
    [{ maxRetries: 0 }, 1, 'no-retries-left'], [{ maxRetries: 1 }, 2, 'no-retries-left'], [{ retryStatuses: [503] }, 1, 'final-status'],
    [{ maxRetries: 9, retryBudget: { capacity: 14 } }, 2, 'retry-budget'], [{ shouldRetry: () => false }, 1, 'vetoed'], [{ headers: { 'x-stainless-retry-count': '1' } }, 1, 'stacked-retries'],
  ]) {
    t.mock.method(console, 'warn', () => {});
    const { fetch, sends } = scripted(...Array(5).fill(json(overloaded())));
    const { failure } = await finish(clock, ask(fetch, init));
    assert.deepEqual([sends.length, failure.info.stop, failure.result.errorKind], [sent, stop, 'overloaded']);
  }
});

test('errors in a 200 open the circuit and close the gate, for everybody', async (t) => {
  const clock = virtualClock(t);
  const failing = serving(() => json(overloaded()));
  for (let n = 0; n < 4; n++) await finish(clock, ask(failing.fetch, ONCE));
  assert.deepEqual(telemetry().circuits.map(({ state, calls }) => [state, calls]), [['open', 0]]);
  const { fetch, sends } = scripted(json({ error: { code: 'rate_limit_exceeded', message: 'Please retry after 7 seconds.' } }), answer(200));
  await finish(clock, ask(fetch, ONCE));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  assert.deepEqual([response.status, sends.map(({ at }) => at)], [200, [0, 7_000]]);
});

test('what an attempt before said does not count any more when the next one ends otherwise', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(json(overloaded()), noNetwork());
  const { result, failure } = await finish(clock, ask(fetch, { maxRetries: 1 }));
  assert.deepEqual([sends.length, result, failure.result, failure.reason], [2, null, null, 'unavailable']);
});

// ---- one deadline

for (const limit of [{ totalMs: 10_000 }, { timeout: 10_000 }, { timeout: { totalMs: 10_000 } }, { totalMs: 10_000, timeout: 90_000 }, { totalMs: 90_000, timeout: 10_000 }]) {
  test(`${JSON.stringify(limit)}: the deadline of the whole call, repeats, waits and body included`, async (t) => {
    const clock = virtualClock(t);
    for (const listens of [true, false]) {
      const pipe = held();
      const body = listens ? withBody(pipe) : () => pipe.response;
      const { fetch, sends } = scripted(after(2_000, answer(529)), after(1_000, body));
      const began = Date.now();
      let at;
      const call = ask(fetch, { ...limit, onText: () => {} }).finally(() => (at = Date.now() - began));
      await clock.tickAsync(3_000);
      pipe.push(says('Hel'));
      const got = await finish(clock, call);
      assert.deepEqual([at, got.text, got.source, got.failure.reason, sends.length], [10_000, 'Hel', 'model', 'deadline', 2]);
      await clock.tickAsync(0); // the deadlines of all bodies share one timer
      assert.equal(clock.countTimers(), 0);
    }
  });
}

test('the time of a call that waits for its first word is over with the call: neither timer nor body stays', async (t) => {
  const clock = virtualClock(t);
  for (const limit of [{ timeout: 1_000 }, { timeout: { attemptMs: 1_000, totalMs: 1_100 } }]) {
    const pipe = held();
    const { failure } = await finish(clock, ask(scripted(() => pipe.response).fetch, limit));
    await clock.tickAsync(0); // the deadlines of all bodies share one timer
    assert.equal(failure.reason, 'deadline');
    assert.deepEqual([clock.countTimers(), pipe.cancelled.length], [0, 1]);
  }
  // The answer comes when nobody waits for it any more.
  const pipe = held();
  const late = () => new Promise((resolve) => setTimeout(resolve, 5_000, pipe.response));
  assert.equal((await finish(clock, ask(scripted(late).fetch, { timeout: { attemptMs: 1_000 } }))).failure.reason, 'deadline');
  await clock.tickAsync(5_000);
  assert.deepEqual([clock.countTimers(), pipe.asked], [0, 0]);
});

test('an attempt whose time is nearly over is not held up for its first word', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const call = ask(scripted(after(500, () => pipe.response)).fetch, { timeout: { attemptMs: 1_000 } });
  await clock.tickAsync(5_000);
  pipe.push(says('Hello'), finished(), DONE);
  assert.equal((await finish(clock, call)).text, 'Hello');
});

test('idleMs of the reading and of the call', async (t) => {
  const clock = virtualClock(t);
  for (const [init, ms] of [[{}, 60_000], [{ idleMs: 3_000 }, 3_000], [{ timeout: { idleMs: 4_000 } }, 4_000], [{ idleMs: 3_000, timeout: { idleMs: 4_000 } }, 3_000], [{ timeout: { idleMs: 4_000, totalMs: 90_000 } }, 4_000]]) {
    const began = Date.now();
    const { failure } = await finish(clock, ask(scripted(() => held().response).fetch, init));
    assert.deepEqual([Date.now() - began, failure.reason], [ms, 'deadline']);
  }
});
