// askAi: why an answer is none, what is said instead, what is repeated, and that an abort ends it at every moment.

import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { DONE, POST, completion, event, finished, held, jsonOf, overloaded, says, streamOf, withBody } from './ai_bodies.mjs';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { MODEL, after, answer, ends, failure, finish, noNetwork, scripted, serving, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, askAi, getCallInfo, isSteadError, telemetry } = await importFresh();
const REASON = { why: 'the user left the page' };
const ALL = ['deadline', 'unavailable', 'circuit-open', 'refused', 'truncated', 'error'];
const ONCE = { maxRetries: 0 };

const ask = (fetch, init) => askAi(MODEL, { ...POST, fetch, ...init });
/** A step of a script: a 200 with this body. */
const json = (body, headers) => () => jsonOf(body, headers && { headers });
const stream = (...chunks) => () => streamOf(chunks);
const fine = stream(says('Hel'), says('lo'), finished(), DONE);
/** A fallback that gives this for every reason, and notes what it was asked. */
function fallback(source, given, asked = []) {
  return { source, on: ALL, asked, get: (why, signal) => (asked.push({ why, signal }), given) };
}

// ---- what comes back

test('an answer: its text, its source, its result, no failure', async (t) => {
  const clock = virtualClock(t);
  for (const [step, outcome, message] of [
    [fine, 'complete', 'The answer is complete.'],
    [json(completion('Hello')), 'complete', 'The answer is complete.'],
    [json({ answer: 'Hello' }), 'unknown', 'The service did not say whether this is the whole answer.'],
    [json(completion('Hello', 'tool_calls')), 'tool_calls', 'The AI service waits for the results of its calls.'],
  ]) {
    const backup = fallback('plain', 'instead');
    const { fetch } = scripted(step);
    const { result, ...rest } = await finish(clock, ask(fetch, { fallbacks: [backup] }));
    assert.deepEqual(rest, { text: 'Hello', source: 'model', failure: null, message });
    assert.deepEqual([result.outcome, result.text, backup.asked.length], [outcome, 'Hello', 0]);
    assert.equal(clock.countTimers(), 0);
  }
});

test('an answer without a word is one if the service says that it is complete', async (t) => {
  const clock = virtualClock(t);
  const { text, source, failure, message } = await finish(clock, ask(scripted(answer(204)).fetch));
  assert.deepEqual([text, source, failure, message], [null, 'model', null, 'The answer is complete.']);
});

const slowly = (ms, step) => after(ms, step);
const failures = {
  'no network': [[noNetwork()], 'unavailable', null, 'The AI service is not available at the moment.'],
  'a network failure of another frame': [[() => Promise.reject(Object.assign(new Error('x'), { name: 'TypeError' }))], 'unavailable', null, 'The AI service is not available at the moment.'],
  'an error of the transport\'s own': [[() => Promise.reject(new Error('x'))], 'error', null, 'The AI service could not answer this.'],
  'an abort that is not the caller\'s': [[() => Promise.reject(new DOMException('x', 'AbortError'))], 'error', null, 'The AI service could not answer this.'],
  'no answer in time': [[silence()], 'deadline', null, 'The AI service did not answer in time.'],
  '504': [[answer(504)], 'deadline', 'timeout', 'The AI service did not answer in time.'],
  '500': [[answer(500)], 'unavailable', 'server', 'The AI service is not available at the moment.'],
  '503': [[answer(503)], 'unavailable', 'server', 'The AI service is not available at the moment.'],
  '529': [[answer(529)], 'unavailable', 'overloaded', 'The AI service is busy; try again in a moment.'],
  '429': [[answer(429)], 'unavailable', 'rate_limited', 'The AI service is busy; try again in a moment.'],
  'no quota left': [[answer(429, {}, '{"error":{"code":"insufficient_quota"}}')], 'unavailable', 'quota', 'The quota for AI answers is used up.'],
  '401': [[answer(401)], 'error', 'auth', 'The AI service does not let this page in.'],
  '400': [[answer(400, {}, '{"error":{"message":"no"}}')], 'error', 'bad_request', 'The AI service could not answer this.'],
  'a text that is too long': [[answer(400, {}, '{"error":{"code":"context_length_exceeded"}}')], 'error', 'context_length', 'The text is too long for the AI service: shorten or split it.'],
  'a filter': [[answer(400, {}, '{"error":{"code":"content_filter"}}')], 'refused', 'content_filter', 'The AI service declined to answer this.'],
  'a sign-in page': [[() => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })], 'error', 'not_sse', 'The AI service could not answer this.'],
  'an empty body': [[stream()], 'unavailable', null, 'The AI service is not available at the moment.'],
  'an object that says nothing': [[json({ a: 1 })], 'error', null, 'The AI service could not answer this.'],
  'an error in a 200': [[json(overloaded())], 'unavailable', 'overloaded', 'The AI service is busy; try again in a moment.'],
  'a final error in a 200': [[json({ error: { code: 'invalid_api_key' } })], 'error', 'auth', 'The AI service does not let this page in.'],
  'a refusal': [[json(completion(null, 'content_filter'))], 'refused', null, 'The AI service declined to answer this.'],
  'a stream that says nothing': [[() => held().response], 'deadline', 'timeout', 'The AI service did not answer in time.'],
  'an answer beyond maxBytes': [[stream(': '.padEnd(5_000, '.'))], 'error', 'too_large', 'The answer is too long to be read.'],
};

for (const [what, [steps, reason, kind, why]] of Object.entries(failures)) {
  test(`${what}: ${reason}, and a sentence for the person, with a fallback and without`, async (t) => {
    const clock = virtualClock(t);
    const limits = { ...ONCE, maxBytes: 4_000 };
    const backup = fallback('cache', 'yesterday\'s');
    const { fetch } = scripted(...steps);
    const instead = await finish(clock, ask(fetch, { ...limits, fallbacks: [backup] }));
    const { failure } = instead;
    assert.deepEqual([instead.text, instead.source, instead.message], ['yesterday\'s', 'cache', `${why} This is an earlier answer.`]);
    assert.deepEqual([failure.reason, failure.result && failure.result.errorKind], [reason, kind]);
    assert.deepEqual([failure.result, failure.info.attempts.length], [instead.result, 1]);
    assert.equal(failure.error === null, failure.result !== null);
    assert.deepEqual(backup.asked[0].why, failure);
    assert.equal(clock.countTimers(), 0);

    const none = await finish(clock, ask(scripted(...steps).fetch, limits));
    assert.deepEqual([none.text, none.source, none.message], [null, 'none', `${why} There is no answer.`]);
    assert.equal(none.failure.reason, reason);
  });
}

test('a circuit that is open: the model is not asked, and it is said', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = serving(() => answer(502));
  for (let n = 0; n < 4; n++) await finish(clock, ask(fetch, ONCE));
  const calls = [ask(fetch, ONCE), ask(fetch, { timeout: 1_000 })];
  const [, second] = await ends(clock, calls);
  assert.deepEqual([second.source, second.failure.reason, second.failure.error.code], ['none', 'circuit-open', 'ECIRCUITOPEN']);
  assert.equal(second.message, 'The AI service has been failing and is left alone for a moment. There is no answer.');
  assert.equal(sends.length, 5);
});

test('a gate that is closed for too long: unavailable', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = serving(() => answer(429, { 'Retry-After': '100' }));
  await finish(clock, ask(fetch, ONCE));
  const { failure } = await finish(clock, ask(fetch, { timeout: 1_000 }));
  assert.deepEqual([failure.reason, failure.error.code, failure.info.stop], ['unavailable', 'ECOOLINGDOWN', 'cooling-down']);
});

// ---- fallbacks

test('fallbacks are asked in their order until one has a text; what throws, has nothing or hangs passes on', async (t) => {
  const clock = virtualClock(t);
  const order = [];
  const get = (name, give) => () => (order.push(name), give());
  const nothing = {
    throws: () => { throw new Error('mine'); }, rejects: () => Promise.reject(new Error('mine')), empty: () => '', null: () => null, undefined: () => undefined,
    number: () => 7, object: () => ({ text: 'x' }), hangs: () => new Promise(() => {}), thenable: () => ({ then() { throw new Error('mine'); } }), late: () => new Promise((resolve) => setTimeout(resolve, 10_001, 'late')),
  };
  const fallbacks = Object.entries(nothing).map(([name, give]) => ({ source: 'cache', get: get(name, give) }));
  fallbacks.push({ source: 'plain', get: get('found', async () => 'found') }, { source: 'cache', get: get('never', () => 'never') });
  const began = Date.now();
  const { text, source, message } = await finish(clock, ask(scripted(answer(500)).fetch, { fallbacks }));
  assert.deepEqual([text, source], ['found', 'plain']);
  assert.equal(message, 'The AI service is not available at the moment. This was put together without AI.');
  assert.deepEqual(order, [...Object.keys(nothing), 'found']);
  assert.equal(Date.now() - began, 20_000, 'each has its own clock');
});

test('each source has its own sentence', async (t) => {
  const clock = virtualClock(t);
  for (const [source, words] of [['backup-model', 'This answer comes from a backup model.'], ['cache', 'This is an earlier answer.'], ['plain', 'This was put together without AI.']]) {
    const got = await finish(clock, ask(scripted(answer(500)).fetch, { fallbacks: [fallback(source, 'x')] }));
    assert.deepEqual([got.source, got.message], [source, `The AI service is not available at the moment. ${words}`]);
  }
});

test('a refusal and a truncated answer go only to fallbacks that ask for them; every other reason goes to all', async (t) => {
  const clock = virtualClock(t);
  const refusal = json(completion(null, 'content_filter')), cut = json(completion('Hel', 'length'));
  for (const [step, reason, own] of [[refusal, 'refused', [null, 'none']], [cut, 'truncated', ['Hel', 'model']]]) {
    const general = { source: 'cache', get: t.mock.fn(() => 'cache') };
    const other = { source: 'cache', on: ALL.filter((one) => one !== reason), get: general.get };
    const asks = { source: 'backup-model', on: [reason], get: () => 'backup' };
    const got = await finish(clock, ask(scripted(step).fetch, { fallbacks: [general, other, asks] }));
    assert.deepEqual([got.text, got.source, got.failure.reason], ['backup', 'backup-model', reason]);
    const alone = await finish(clock, ask(scripted(step).fetch, { fallbacks: [general, other] }));
    assert.deepEqual([alone.text, alone.source, alone.failure.reason], [...own, reason]);
    assert.equal(general.get.mock.callCount(), 0);
  }
  const { text, message } = await finish(clock, ask(scripted(cut).fetch));
  assert.deepEqual([text, message], ['Hel', 'The answer was cut off at a length limit. What has come of the answer is not all of it.']);
  const picky = { source: 'cache', on: [], get: t.mock.fn() };
  await finish(clock, ask(scripted(answer(500)).fetch, { fallbacks: [picky] }));
  assert.equal(picky.get.mock.callCount(), 0);
});

test('fallbackMs ends a fallback: its signal aborts with a TimeoutError; Infinity never does', async (t) => {
  const clock = virtualClock(t);
  const hangs = fallback('cache', new Promise(() => {}));
  const began = Date.now();
  const got = await finish(clock, ask(scripted(answer(500)).fetch, { fallbackMs: 700, fallbacks: [hangs] }));
  assert.deepEqual([got.source, Date.now() - began], ['none', 700]);
  const { signal } = hangs.asked[0];
  assert.deepEqual([signal.aborted, signal.reason.name], [true, 'TimeoutError']);

  let answers;
  const slow = fallback('cache', new Promise((resolve) => (answers = resolve)));
  const call = ask(scripted(answer(500)).fetch, { fallbackMs: Infinity, fallbacks: [slow] });
  await settle();
  assert.equal(clock.countTimers(), 0);
  answers('late');
  assert.equal((await call).text, 'late');
  assert.equal(slow.asked[0].signal.aborted, false);
});

test('a fallback may be an object with state, and what it writes into its argument stays there', async (t) => {
  const clock = virtualClock(t);
  class Cache {
    constructor() { this.source = 'cache'; this.last = 'kept'; }
    get(why) {
      why.reason = 'spoilt';
      return this.last;
    }
  }
  const got = await finish(clock, ask(scripted(answer(500)).fetch, { fallbacks: [Object.freeze(new Cache())] }));
  assert.deepEqual([got.text, got.failure.reason], ['kept', 'unavailable']);
});

test('a fallback may ask another model', async (t) => {
  const clock = virtualClock(t);
  const backup = scripted(answer(503), fine);
  const get = async (_, signal) => (await askAi('https://other.contoso.net/api', { ...POST, fetch: backup.fetch, signal })).text;
  const got = await finish(clock, ask(serving(() => answer(500)).fetch, { fallbacks: [{ source: 'backup-model', get }] }));
  assert.deepEqual([got.text, got.source, backup.sends.length], ['Hello', 'backup-model', 2]);
});

// ---- text on its way

test('onText is told each piece as it comes, and whatever it does breaks nothing', async (t) => {
  const clock = virtualClock(t);
  const told = [];
  for (const also of [() => {}, () => { throw new Error('mine'); }, () => Promise.reject(new Error('mine')), () => ({ get then() { throw new Error('mine'); } })]) {
    told.length = 0;
    const pipe = held();
    const call = ask(scripted(() => pipe.response).fetch, { onText: (text) => (told.push(text), also()) });
    await settle();
    pipe.push(says('Hel'));
    await settle();
    assert.deepEqual(told, ['Hel']);
    pipe.push(says('lo'), finished(), DONE);
    assert.equal((await finish(clock, call)).text, 'Hello');
    assert.deepEqual(told, ['Hel', 'lo']);
  }
});

const halfway = {
  'is over': [(pipe) => pipe.close(), 'unavailable'],
  'breaks': [(pipe) => pipe.fail(new TypeError('network error')), 'unavailable'],
  'says an error that may pass': [(pipe) => pipe.push(event(overloaded())), 'unavailable'],
  'is refused': [(pipe) => pipe.push(finished('content_filter')), 'refused'],
  'is truncated': [(pipe) => pipe.push(finished('length'), DONE), 'truncated'],
  'says nothing more': [() => {}, 'deadline'],
  'is aborted by somebody else': [(pipe) => pipe.fail(new DOMException('x', 'AbortError')), 'error'],
};

for (const [how, [act, reason]] of Object.entries(halfway)) {
  test(`a stream that ${how} after text was shown: the text stays, labelled, and neither fallback nor repeat takes its place`, async (t) => {
    const clock = virtualClock(t);
    for (const shows of [true, false]) {
      const pipe = held();
      const backup = fallback('plain', 'instead');
      const onText = t.mock.fn();
      const { fetch, sends } = scripted(() => pipe.response);
      const call = ask(fetch, { fallbacks: [backup], onText: shows ? onText : undefined });
      await settle();
      pipe.push(says('Hel'));
      await settle();
      act(pipe);
      if (reason === 'refused') pipe.close();
      const got = await finish(clock, call);
      assert.deepEqual([got.text, got.source], shows ? ['Hel', 'model'] : ['instead', 'plain'], 'without onText nothing was shown');
      assert.deepEqual([got.failure.reason, got.result.text, got.result], [reason, 'Hel', got.failure.result]);
      if (shows) assert.match(got.message, / What has come of the answer is not all of it\.$/);
      assert.deepEqual([sends.length, backup.asked.length, clock.countTimers()], [1, shows ? 0 : 1, 0]);
    }
  });
}

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
    assert.ok(ALL.includes(failure.reason));
  });
}

test('an error in a 200 that came slowly is never repeated, by the headers or by the body', async (t) => {
  const clock = virtualClock(t);
  const late = (ms) => () => {
    const pipe = held();
    setTimeout(() => pipe.push(event(overloaded())), ms);
    return pipe.response;
  };
  for (const [step, sent] of [[slowly(29_999, json(overloaded())), 2], [slowly(30_000, json(overloaded())), 1], [late(29_998), 2], [late(30_000), 1], [slowly(15_000, late(14_998)), 2], [slowly(15_000, late(15_000)), 1]]) {
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

// ---- aborts

const moments = {
  'before': [[], 0],
  'while `headers` is asked': [[], 0, { headers: () => new Promise(() => {}) }],
  'during a request': [[after(5_000, fine)], 1],
  'during a wait': [[answer(503, { 'Retry-After': '60' })], 1],
  'while the first word is waited for': [[() => held().response], 1],
  'halfway': [[() => { const pipe = held(); pipe.push(says('a')); return pipe.response; }], 1, { onText: () => {} }],
  'during an error\'s body': [[() => held({ status: 500 }).response], 1],
  'inside a fallback': [[answer(500)], 1, { fallbacks: [fallback('cache', new Promise(() => {})), { source: 'plain', get: () => assert.fail('asked') }] }],
};

for (const [when, [steps, sent, init]] of Object.entries(moments)) {
  for (const how of ['init', 'Request']) {
    test(`aborted ${when} by the signal of ${how}: the caller's reason, nothing is sent afterwards, nothing is left`, async (t) => {
      const clock = virtualClock(t);
      const controller = new AbortController();
      const { signal } = controller;
      const { fetch, sends } = scripted(...steps);
      if (when === 'before') controller.abort(REASON);
      const request = how === 'Request' ? new Request(MODEL, { ...POST, signal, duplex: 'half' }) : undefined;
      const own = request ? request.signal : signal;
      const left = getEventListeners(own, 'abort').length;
      const call = request ? askAi(request, { fetch, ...init }) : ask(fetch, { ...init, signal });
      const rejects = assert.rejects(call, (error) => error === REASON);
      await clock.tickAsync(1_000);
      controller.abort(REASON);
      await rejects;
      await settle();
      assert.deepEqual([clock.countTimers(), getEventListeners(own, 'abort').length], [0, left]);
      await clock.tickAsync(600_000);
      assert.equal(sends.length, sent);
    });
  }
}

test('aborted inside onText, inside a fallback that answers, and between two fallbacks', async (t) => {
  const clock = virtualClock(t);
  const never = { source: 'plain', get: t.mock.fn(() => 'never') };
  for (const init of [
    (abort) => ({ onText: abort }),
    (abort) => ({ fallbacks: [{ source: 'cache', on: ALL, get: () => (abort(), 'too late') }, never] }),
    (abort) => ({ fallbacks: [{ source: 'cache', on: ALL, get: async () => void setTimeout(abort) }, { source: 'cache', on: ALL, get: () => new Promise(() => {}) }, never] }),
  ]) {
    const controller = new AbortController();
    const step = stream(says('Hel'), finished('content_filter'));
    const call = ask(scripted(step).fetch, { ...init(() => controller.abort(REASON)), signal: controller.signal });
    assert.equal(await failure(clock, call), REASON);
    assert.deepEqual([clock.countTimers(), getEventListeners(controller.signal, 'abort')], [0, []]);
  }
  assert.equal(never.get.mock.callCount(), 0);
});

test('an abort that another listener keeps from us: no further fallback is asked', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const fallbacks = [{ source: 'cache', get: () => controller.abort(REASON) }, { source: 'plain', get: () => assert.fail('asked') }];
  assert.equal(await failure(clock, ask(scripted(answer(500)).fetch, { fallbacks, signal: controller.signal })), REASON);
});

test('the signal of a fallback aborts with the caller\'s reason', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const hangs = fallback('cache', new Promise(() => {}));
  const call = ask(scripted(answer(500)).fetch, { fallbacks: [hangs], signal: controller.signal });
  await settle();
  controller.abort(REASON);
  assert.equal(await failure(clock, call), REASON);
  assert.equal(hangs.asked[0].signal.reason, REASON);
});

test('signal: null takes a Request\'s signal away', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const request = new Request(MODEL, { ...POST, signal: controller.signal, duplex: 'half' });
  const call = askAi(request, { fetch: scripted(after(100, fine)).fetch, signal: null });
  controller.abort(REASON);
  assert.equal((await finish(clock, call)).text, 'Hello');
});

test('many questions on one signal leave nothing on it', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const steps = [fine, json(overloaded()), answer(500), stream(says('a')), json(completion(null, 'content_filter')), noNetwork()];
  const { fetch } = serving((number) => steps[number % steps.length]);
  const calls = Array.from({ length: 60 }, (_, n) => ask(fetch, { endpoint: `e${n}`, signal, fallbacks: [fallback('cache', n % 2 ? 'x' : '')] }));
  const got = await ends(clock, calls);
  assert.ok(got.every(({ source }) => source));
  assert.deepEqual([clock.countTimers(), getEventListeners(signal, 'abort').length], [0, 0]);
});

// ---- what it is given

test('what it sends is what aiFetch sends: our options are taken out, the rest passes, the init is not written to', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(fine);
  const init = Object.freeze({ ...POST, fetch, headers: Object.freeze({ a: 'b' }), onText: () => {}, fallbacks: Object.freeze([]), fallbackMs: 5, read: () => undefined, totalMs: 60_000, idleMs: 1_000, maxBytes: 1_000, maxRetries: 1, mode: 'cors', unknown: 7 });
  assert.equal((await finish(clock, askAi(new URL(MODEL), init))).text, 'Hello');
  const { signal, ...sent } = sends[0].init;
  assert.deepEqual(sent, { method: 'POST', body: '{}', headers: { a: 'b' }, mode: 'cors', unknown: 7 });
});

test('getters of a class are read once', async (t) => {
  const clock = virtualClock(t);
  const reads = [];
  const { fetch } = scripted(fine);
  class Init {}
  for (const [name, value] of Object.entries({ ...POST, fetch, maxBytes: 5_000, fallbacks: [], fallbackMs: 5, onText: () => {}, maxRetries: 1, signal: null, read: () => undefined, timeout: 60_000 })) {
    Object.defineProperty(Init.prototype, name, { get: () => (reads.push(name), value) });
  }
  assert.equal((await finish(clock, askAi(MODEL, new Init()))).text, 'Hello');
  assert.deepEqual(reads.filter((name, at) => reads.indexOf(name) !== at), []);
  assert.ok(reads.includes('fallbacks') && reads.includes('maxBytes'));
});

test('wrong options are EOPTION, name themselves, and nothing is sent', async (t) => {
  const clock = virtualClock(t);
  const throwing = () => { throw new Error('mine'); };
  const get = () => 'x';
  const cases = [
    [{ fallbacks: {} }, 'fallbacks'], [{ fallbacks: 'x' }, 'fallbacks'], [{ fallbacks: null }, 'fallbacks'], [{ fallbacks: new Proxy([], { get: throwing }) }, 'fallbacks'],
    [{ fallbacks: [null] }, 'fallbacks[0]'], [{ fallbacks: [, ] }, 'fallbacks[0]'], [{ fallbacks: ['cache'] }, 'fallbacks[0]'], [{ fallbacks: [get] }, 'fallbacks[0]'],
    [{ fallbacks: [{ get }] }, 'fallbacks[0].source'], [{ fallbacks: [{ get, source: 'toString' }] }, 'fallbacks[0].source'], [{ fallbacks: [{ get, source: 'model' }] }, 'fallbacks[0].source'],
    [{ fallbacks: [{ get, source: 'cache' }, { get, source: Symbol('s') }] }, 'fallbacks[1].source'], [{ fallbacks: [{ get, get source() { return throwing(); } }] }, 'fallbacks[0].source'],
    [{ fallbacks: [{ source: 'cache' }] }, 'fallbacks[0].get'], [{ fallbacks: [{ source: 'cache', get: 'x' }] }, 'fallbacks[0].get'], [{ fallbacks: [{ source: 'cache', get get() { return throwing(); } }] }, 'fallbacks[0].get'],
    [{ fallbacks: [{ source: 'cache', get, on: 'refused' }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: ['refused', 'x'] }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: [, ] }] }, 'fallbacks[0].on'],
    [{ fallbacks: [{ source: 'cache', get, on: null }] }, 'fallbacks[0].on'], [{ fallbacks: [{ source: 'cache', get, on: Object.defineProperty(['error'], 0, { get: throwing }) }] }, 'fallbacks[0].on'],
    [{ fallbackMs: 0 }, 'fallbackMs'], [{ fallbackMs: NaN }, 'fallbackMs'], [{ onText: 'x' }, 'onText'], [{ onText: null }, 'onText'], [{ read: 7 }, 'read'], [{ maxBytes: -0 }, 'maxBytes'], [{ totalMs: -1 }, 'totalMs'],
    [{ idleMs: '5' }, 'idleMs'], [{ timeout: 0 }, 'timeout'], [{ maxRetries: 1.5 }, 'maxRetries'], [{ signal: {} }, 'signal'], [{ get body() { return throwing(); } }, 'body'], [7, 'init'],
  ];
  for (const [init, name] of cases) {
    const { fetch, sends } = scripted();
    const given = typeof init === 'object' ? Object.defineProperties({ method: 'POST', fetch }, Object.getOwnPropertyDescriptors(init)) : init;
    const error = await failure(clock, askAi(MODEL, given));
    assert.ok(isSteadError(error, 'EOPTION'), `${name}: ${error}`);
    assert.ok(error.message.startsWith(`\`${name}\` `), error.message);
    assert.deepEqual([sends.length, clock.countTimers()], [0, 0]);
  }
});

test('a transport that gives what is no new response is EOPTION, as with aiFetch', async (t) => {
  const clock = virtualClock(t);
  const used = new Response('x');
  await used.text();
  for (const step of [() => undefined, () => 7, () => used, async () => 'text']) {
    const error = await failure(clock, ask(scripted(step).fetch, { fallbacks: [fallback('cache', 'x')] }));
    assert.ok(isSteadError(error, 'EOPTION'), String(error));
  }
});

test('a transport that throws what looks like an error of ours is just a failure', async (t) => {
  const clock = virtualClock(t);
  for (const code of ['toString', 'constructor', '__proto__', 7, undefined]) {
    const error = Object.assign(new Error('mine'), { [Symbol.for('steadfetch.error')]: true, code });
    const { failure, message } = await finish(clock, ask(scripted(() => Promise.reject(error)).fetch));
    assert.deepEqual([failure.reason, failure.error, message], ['error', error, 'The AI service could not answer this. There is no answer.']);
  }
});

test('`headers` that throw: nothing is sent, and the fallbacks are asked', async (t) => {
  const clock = virtualClock(t);
  const mine = new Error('no token');
  const { fetch, sends } = scripted();
  const got = await finish(clock, ask(fetch, { headers: () => { throw mine; }, fallbacks: [fallback('plain', 'x')] }));
  assert.deepEqual([got.text, got.failure.reason, got.failure.error, sends.length], ['x', 'error', mine, 0]);
});

test('what the page\'s own fetch refuses is not repeated, as with aiFetch', async (t) => {
  const clock = virtualClock(t);
  const fetch = t.mock.fn(async (input, init) => new Request(input, init));
  withGlobals(t, { fetch });
  const { failure } = await finish(clock, askAi(MODEL, { ...POST, headers: { 'no header': 'x' } }));
  assert.deepEqual([failure.error instanceof TypeError, failure.reason, fetch.mock.callCount()], [true, 'unavailable', 1]);
});

test('mocks as answers: the methods of a body are enough', async (t) => {
  const clock = virtualClock(t);
  const mock = { status: 200, ok: true, json: async () => completion('Hello') };
  for (const step of [() => mock, () => ({ ...mock, status: '200' }), () => ({ ...mock, status: undefined })]) {
    assert.equal((await finish(clock, ask(scripted(step).fetch))).text, 'Hello');
  }
});

test('failure.info is the account of the call, as getCallInfo gives it', async (t) => {
  const clock = virtualClock(t);
  const error = new TypeError('Failed to fetch');
  const { failure } = await finish(clock, ask(scripted(() => Promise.reject(error)).fetch, ONCE));
  assert.deepEqual(failure.info, getCallInfo(error));
  assert.deepEqual([failure.error, failure.info.stop], [error, 'no-retries-left']);
});
