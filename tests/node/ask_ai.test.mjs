// askAi: why an answer is none, what is said instead, and what becomes of text on its way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, POST, REASONS, asking, completion, event, fallback, fine, finished, held, json, overloaded, says, stream } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { after, answer, ends, failure, finish, noNetwork, scripted, serving, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { askAi } = await importFresh();
const ONCE = { maxRetries: 0 };
const ask = asking(askAi);

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
    const other = { source: 'cache', on: REASONS.filter((one) => one !== reason), get: general.get };
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
