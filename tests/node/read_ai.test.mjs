// readAiResult and streamAi: the ends that an answer comes to, who hears of them, and what is left behind, which is nothing.

import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DONE, brief, completion, event, fetched, finished, held, jsonOf, loop, overloaded, says, streamOf, withBody } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { after, asleep, finish, scripted, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, isSteadError, readAiResult, streamAi } = await importFresh();
const REASON = { why: 'the user left the page' };
const WHOLE = [says('Hel'), says('lo'), finished(), DONE];

/** The time is over, and the body is given up. */
function isEnded(clock, pipe, signal) {
  assert.equal(clock.countTimers(), 0);
  assert.equal(pipe.cancelled.length, 1);
  if (signal) assert.deepEqual(getEventListeners(signal, 'abort'), []);
}

// ---- text as it comes

test('each piece of text comes with the chunk that carried it', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const iterator = streamAi(pipe.response)[Symbol.asyncIterator]();
  for (const text of ['Hel', 'lo', ' there']) {
    const next = iterator.next();
    pipe.push(says(text));
    assert.deepEqual(await next, { done: false, value: text });
  }
  const last = iterator.next();
  pipe.push(finished());
  pipe.push(DONE);
  assert.deepEqual(await last, { done: true, value: undefined });
  isEnded(clock, pipe);
});

test('one chunk with several events is one piece, and one event in several chunks is one, too', async () => {
  const [first, ...rest] = says('Hello');
  assert.deepEqual(await loop(streamAi(streamOf([says('a') + says('b') + says('c'), first, ...rest, finished()]))), { texts: ['abc', 'Hello'] });
});

test('an answer in one piece is one piece of text', async () => {
  const stream = streamAi(jsonOf(completion('Hello')));
  assert.deepEqual(await loop(stream), { texts: ['Hello'] });
  assert.deepEqual(brief(await stream.result), ['complete', null, 'Hello']);
});

test('the body is read no further than is asked for', async (t) => {
  const pipe = held();
  const iterator = streamAi(pipe.response)[Symbol.asyncIterator]();
  await settle();
  assert.equal(pipe.asked, 0);
  const next = iterator.next();
  await settle();
  assert.equal(pipe.asked, 1);
  pipe.push(says('a'));
  await next;
  await settle();
  assert.equal(pipe.asked, 1);
  await iterator.return();
});

test('the mark behind the last event ends it: the connection is given up, whatever the server does with it', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const result = readAiResult(pipe.response);
  pipe.push(...WHOLE);
  assert.deepEqual(brief(await result), ['complete', null, 'Hello']);
  isEnded(clock, pipe);
});

// ---- ends that the server or the network makes

const ends = {
  'is over': [(pipe) => pipe.close(), ['incomplete_stream', null, 'Hel'], 0],
  'breaks': [(pipe) => pipe.fail(new TypeError('network error')), ['incomplete_stream', 'network', 'Hel'], 0],
  'breaks with nothing': [(pipe) => pipe.fail(undefined), ['incomplete_stream', 'network', 'Hel'], 0],
  'says nothing for idleMs': [() => {}, ['incomplete_stream', 'timeout', 'Hel'], 1],
  'says an error': [(pipe) => pipe.push(event(overloaded())), ['error', 'overloaded', 'Hel'], 1],
  'goes on with what is no event': [(pipe) => pipe.push('data: {"choices":\n\n'), ['error', 'bad_json', 'Hel'], 1],
  'ends with its reason': [(pipe) => (pipe.push(finished()), pipe.close()), ['complete', null, 'Hel'], 0],
};

for (const [how, [act, wanted, cancelled]] of Object.entries(ends)) {
  test(`a stream that ${how} halfway: result says so, the loop ends normally, nothing is left`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const readers = [readAiResult, (response) => {
      const stream = streamAi(response, options);
      return loop(stream).then(async (all) => {
        assert.deepEqual(all, { texts: ['Hel'] });
        return stream.result;
      });
    }];
    for (const read of readers) {
      const pipe = held();
      const result = read(pipe.response, options);
      pipe.push(says('Hel'));
      await settle();
      act(pipe);
      const got = await finish(clock, result);
      assert.deepEqual(brief(got), wanted);
      assert.equal(got.partialText, wanted[0] !== 'complete');
      assert.equal(clock.countTimers(), 0);
      assert.equal(pipe.cancelled.length, cancelled);
      assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    }
  });
}

test('a page, an error status and an empty body are results, too', async () => {
  const cases = [
    [new Response('<!DOCTYPE html><title>Sign in</title>', { headers: { 'Content-Type': 'text/html' } }), ['error', 'not_sse', null]],
    [new Response('{"error":{"code":"rate_limit_exceeded"}}', { status: 429, headers: { 'Retry-After': '7' } }), ['error', 'rate_limited', null], 7_000],
    [new Response('', { headers: { 'Content-Type': 'application/json' } }), ['error', 'empty_response', null]],
    [new Response(null, { headers: { 'Content-Type': 'application/json' } }), ['error', 'empty_response', null]],
    [new Response(null, { status: 204 }), ['complete', null, null]],
    [Response.error(), ['error', 'empty_response', null]],
  ];
  for (const [response, wanted, retryAfterMs = null] of cases) {
    const copy = response.clone();
    const result = await readAiResult(response);
    assert.deepEqual([...brief(result), result.retryAfterMs], [...wanted, retryAfterMs]);
    const stream = streamAi(copy);
    assert.deepEqual(await loop(stream), { texts: [] });
    assert.deepEqual(await stream.result, result);
  }
});

// ---- limits

/** A stream that says something every `ms`, for ever: when the reading was over, and with what. */
async function trickle(clock, pipe, ms, read) {
  let at;
  read.then(() => (at = Date.now()));
  for (await settle(); at === undefined; await clock.tickAsync(ms)) {
    pipe.push(says('.'));
    await settle();
  }
  return { at, result: await read };
}

test('idleMs counts between two chunks, and only while somebody waits for one', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const stream = streamAi(pipe.response, { idleMs: 1_000 });
  const iterator = stream[Symbol.asyncIterator]();
  for (let n = 0; n < 3; n++) {
    const next = iterator.next();
    await clock.tickAsync(999);
    pipe.push(says('a'));
    assert.equal((await next).value, 'a');
    await clock.tickAsync(100_000); // the page thinks
  }
  const began = Date.now();
  assert.equal((await finish(clock, iterator.next())).done, true);
  assert.equal(Date.now() - began, 1_000);
  assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'timeout', 'aaa']);
  isEnded(clock, pipe);
});

test('idleMs counts from each chunk anew, and is exact, in fractions, too', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const began = Date.now();
  const result = readAiResult(pipe.response, { idleMs: 1_000 });
  await clock.tickAsync(400);
  pipe.push(says('a'));
  assert.equal((await finish(clock, result)).errorKind, 'timeout');
  assert.equal(Date.now() - began, 1_400);
  assert.equal((await finish(clock, readAiResult(held().response, { idleMs: 0.5 }))).errorKind, 'timeout');
  assert.equal(Date.now() - began, 1_401);
});

test('idleMs is 60 s unless the reading, or the call that gave the response, says otherwise', async (t) => {
  const clock = virtualClock(t);
  const cases = [[{}, undefined, 60_000], [{}, 5_000, 5_000], [{ timeout: { idleMs: 7_000 } }, undefined, 7_000], [{ timeout: { idleMs: 7_000 } }, 5_000, 5_000]];
  for (const [init, idleMs, wanted] of cases) {
    const response = await finish(clock, fetched(aiFetch, scripted(() => held().response).fetch, init));
    const began = Date.now();
    const result = await finish(clock, readAiResult(response, { idleMs }));
    assert.deepEqual([Date.now() - began, ...brief(result)], [wanted, 'incomplete_stream', 'timeout', '']);
    assert.equal(clock.countTimers(), 0);
  }
});

test('totalMs ends a stream that trickles, and is exact', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const began = Date.now();
  const { at, result } = await trickle(clock, pipe, 300, readAiResult(pipe.response, { totalMs: 1_000, idleMs: 400 }));
  assert.deepEqual([at - began, ...brief(result)], [1_000, 'incomplete_stream', 'timeout', '....']);
  isEnded(clock, pipe);
});

test('totalMs ends the body even if nobody waits for more', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const stream = streamAi(pipe.response, { totalMs: 100_000 });
  const iterator = stream[Symbol.asyncIterator]();
  const next = iterator.next();
  pipe.push(says('a'));
  await next;
  await clock.tickAsync(99_999);
  assert.equal(pipe.cancelled.length, 0);
  await clock.tickAsync(1);
  isEnded(clock, pipe);
  assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'timeout', 'a']);
});

test('totalMs is on the clock of the wall: a machine that slept was late', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const stream = streamAi(pipe.response, { totalMs: 10_000 });
  const iterator = stream[Symbol.asyncIterator]();
  const next = iterator.next();
  pipe.push(says('a'));
  await next;
  clock.setSystemTime(Date.now() + 3_600_000);
  pipe.push(says('b'));
  assert.equal((await iterator.next()).done, true);
  assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'timeout', 'a']);
  isEnded(clock, pipe);
});

test('a clock that is set back takes nothing away from it', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const result = readAiResult(pipe.response, { totalMs: 10_000, idleMs: Infinity });
  await clock.tickAsync(5_000);
  clock.setSystemTime(1_000_000);
  const at = Date.now();
  assert.deepEqual(brief(await finish(clock, result)), ['incomplete_stream', 'timeout', '']);
  assert.equal(Date.now() - at, 5_000);
});

test('Infinity is no limit, and no timer; what is more than a timer can hold is none either', async (t) => {
  const clock = virtualClock(t);
  for (const idleMs of [Infinity, 2 ** 31, 1e300]) {
    const pipe = held();
    const result = readAiResult(pipe.response, { idleMs, totalMs: Infinity });
    await clock.tickAsync(1);
    assert.equal(clock.countTimers(), 0);
    pipe.push(...WHOLE);
    assert.equal((await result).outcome, 'complete');
  }
});

test('the time that the caller set for a call ends the reading of its body', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const response = await finish(clock, fetched(aiFetch, scripted(after(400, withBody(pipe))).fetch, { timeout: 1_000 }));
  const began = Date.now();
  const stream = streamAi(response);
  pipe.push(says('a'));
  assert.deepEqual(await finish(clock, loop(stream)), { texts: ['a'] });
  assert.deepEqual([Date.now() - began, ...brief(await stream.result)], [600, 'incomplete_stream', 'timeout', 'a']);
  assert.equal(clock.countTimers(), 0);
});

test('maxBytes: a longer body is an error and is given up, one of just that length is read', async (t) => {
  const clock = virtualClock(t);
  const text = WHOLE.join('');
  const [fits, tooLong] = [text.length, text.length - DONE.length - 1];
  assert.equal((await readAiResult(streamOf([text]), { maxBytes: fits })).outcome, 'complete');
  const pipe = held();
  const result = readAiResult(pipe.response, { maxBytes: tooLong });
  pipe.push(text);
  assert.deepEqual(brief(await result).slice(0, 2), ['error', 'too_large']);
  isEnded(clock, pipe);
});

test('16 MiB is the limit where none is set', async () => {
  const chunks = (size) => Array.from({ length: size / 65_536 }, () => `: ${'.'.repeat(65_533)}\n`);
  const [inside, beyond] = [16 * 1_048_576 - 65_536, 20 * 1_048_576];
  assert.equal((await readAiResult(streamOf([...chunks(inside), ...WHOLE]))).outcome, 'complete');
  assert.equal((await readAiResult(streamOf([...chunks(beyond), ...WHOLE]))).errorKind, 'too_large');
});

// ---- aborts

const moments = {
  'before': { before: true, texts: [] },
  'before the first chunk': { texts: [] },
  'halfway': { push: ['a', 'b'], texts: ['a', 'b'] },
};

for (const [when, { before, push = [], texts }] of Object.entries(moments)) {
  for (const whose of ['of the reading', 'of the call', 'of the call, to a transport that does not listen']) {
    test(`aborted ${when} by the signal ${whose}: the loop throws the caller's reason, result tells the text so far`, async (t) => {
      const clock = virtualClock(t);
      const controller = new AbortController();
      const { signal } = controller;
      const abort = () => controller.abort(REASON);
      const begin = async () => {
        const pipe = held();
        if (whose === 'of the reading') return [pipe, pipe.response, { signal }];
        const step = whose === 'of the call' ? withBody(pipe) : () => pipe.response;
        return [pipe, await finish(clock, fetched(aiFetch, scripted(step).fetch, { signal })), {}];
      };
      const [pipe, response, options] = await begin();
      if (before) abort();
      const stream = streamAi(response, options);
      const done = loop(stream);
      for (const text of push) {
        await settle();
        pipe.push(says(text));
      }
      await settle();
      if (!before) abort();
      assert.deepEqual(await done, { texts, error: REASON });
      const result = await stream.result;
      assert.deepEqual(brief(result), ['incomplete_stream', 'cancelled', texts.join('')]);
      assert.equal(result.partialText, texts.length > 0);
      assert.deepEqual([clock.countTimers(), getEventListeners(signal, 'abort').length], [0, 0]);
      // fetch's own body has failed by then, and is over.
      if (whose !== 'of the call') assert.deepEqual(pipe.cancelled, [REASON]);
      assert.deepEqual(await loop(stream), { texts: [] }, 'it is thrown once');
    });

    test(`aborted ${when} by the signal ${whose}: readAiResult rejects with the caller's reason`, async (t) => {
      const clock = virtualClock(t);
      const controller = new AbortController();
      const { signal } = controller;
      const pipe = held();
      const step = whose === 'of the call' ? withBody(pipe) : () => pipe.response;
      const ofReading = whose === 'of the reading';
      const response = ofReading ? pipe.response : await finish(clock, fetched(aiFetch, scripted(step).fetch, { signal }));
      if (before) controller.abort(REASON);
      const rejects = assert.rejects(readAiResult(response, ofReading ? { signal } : {}), (error) => error === REASON);
      for (const text of before ? [] : push) pipe.push(says(text));
      await settle();
      if (!before) controller.abort(REASON);
      await rejects;
      assert.deepEqual([clock.countTimers(), getEventListeners(signal, 'abort').length], [0, 0]);
    });
  }
}

test('an abort that another listener keeps from us is seen when the next chunk is asked for, when one comes, and when time is up', async (t) => {
  const clock = virtualClock(t);
  for (const notice of [(pipe) => pipe.push(says('b')), () => clock.tickAsync(60_000)]) {
    const controller = new AbortController();
    controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
    const pipe = held();
    const stream = streamAi(pipe.response, { signal: controller.signal });
    const iterator = stream[Symbol.asyncIterator]();
    const [first, second] = [iterator.next(), iterator.next()];
    pipe.push(says('a'));
    await first;
    await settle();
    controller.abort(REASON);
    const rejects = assert.rejects(second, (error) => error === REASON);
    await notice(pipe);
    await rejects;
    assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'cancelled', 'a']);
  }
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const pipe = held();
  const iterator = streamAi(pipe.response, { signal: controller.signal })[Symbol.asyncIterator]();
  controller.abort(REASON);
  await assert.rejects(iterator.next(), (error) => error === REASON);
  assert.equal(pipe.asked, 0);
});

test('a signal that only looks like one ends it, too, and reasons that are falsy are reasons', async (t) => {
  const clock = virtualClock(t);
  for (const reason of [null, 0, '', false]) {
    const listeners = new Set();
    const signal = { aborted: false, addEventListener: (_, one) => listeners.add(one), removeEventListener: (_, one) => listeners.delete(one) };
    const pipe = held();
    const stream = streamAi(pipe.response, { signal });
    const done = loop(stream);
    await settle();
    assert.equal(listeners.size, 1);
    Object.assign(signal, { aborted: true, reason });
    for (const one of listeners) one();
    assert.deepEqual(await done, { texts: [], error: reason });
    assert.deepEqual([listeners.size, clock.countTimers()], [0, 0]);
  }
});

test('a body that somebody else aborted rejects with that very error', async () => {
  const error = new DOMException('theirs', 'AbortError');
  const pipe = held();
  const result = readAiResult(pipe.response);
  pipe.fail(error);
  await assert.rejects(result, (thrown) => thrown === error);
});

// ---- the loop and the result

test('leaving the loop gives the body up, and result tells the text so far', async (t) => {
  const clock = virtualClock(t);
  for (const leave of ['break', 'throw']) {
    const pipe = held();
    const stream = streamAi(pipe.response);
    const mine = new Error('mine');
    const done = (async () => {
      for await (const text of stream) {
        assert.equal(text, 'a');
        if (leave === 'break') break;
        throw mine;
      }
    })().catch((error) => error);
    pipe.push(says('a'), says('b'));
    assert.equal(await done, leave === 'break' ? undefined : mine);
    const { outcome, errorKind, text } = await stream.result;
    assert.deepEqual([outcome, errorKind, text], ['incomplete_stream', 'cancelled', 'a']);
    isEnded(clock, pipe);
    assert.deepEqual(await loop(stream), { texts: [] });
  }
});

test('leaving while a chunk is waited for', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const stream = streamAi(pipe.response);
  const iterator = stream[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await settle();
  assert.deepEqual(await iterator.return('mine'), { done: true, value: 'mine' });
  assert.deepEqual(await waiting, { done: true, value: undefined });
  assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'cancelled', '']);
  isEnded(clock, pipe);

  const other = held();
  const error = new Error('mine');
  await assert.rejects(streamAi(other.response)[Symbol.asyncIterator]().throw(error), (thrown) => thrown === error);
  isEnded(clock, other);
});

test('result alone reads to the end, and a loop begun afterwards still gets all of it', async () => {
  const stream = streamAi(streamOf(WHOLE));
  assert.deepEqual(brief(await stream.result), ['complete', null, 'Hello']);
  assert.deepEqual(await loop(stream), { texts: ['Hel', 'lo'] });
  assert.deepEqual(await loop(stream), { texts: [] });
});

test('what result has read ahead is gone with a loop that was left', async () => {
  const stream = streamAi(streamOf(WHOLE));
  await stream.result;
  for await (const text of stream) {
    assert.equal(text, 'Hel');
    break;
  }
  assert.deepEqual(await loop(stream), { texts: [] });
});

test('result asked for before, during and after the loop: every piece once and in order', async () => {
  const pieces = Array.from({ length: 30 }, (_, n) => `${n} `);
  for (let when = -1; when < 30; when += 3) {
    const stream = streamAi(streamOf([...pieces.map(says), finished(), DONE]));
    let result = when < 0 ? stream.result : undefined;
    let seen = 0;
    const { texts } = await loop(stream, () => {
      if (seen++ === when) result = stream.result;
    });
    assert.deepEqual(texts, pieces);
    assert.equal((await (result || stream.result)).text, pieces.join(''));
    assert.equal(stream.result, stream.result);
  }
});

test('next() called many times at once: every piece once, in order, then done', async () => {
  for (const first of [() => {}, (stream) => stream.result]) {
    const stream = streamAi(streamOf(WHOLE));
    first(stream);
    const iterator = stream[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: 6 }, () => iterator.next()));
    assert.deepEqual(steps.map(({ value }) => value), ['Hel', 'lo', undefined, undefined, undefined, undefined]);
    assert.deepEqual(steps.map(({ done }) => done), [false, false, true, true, true, true]);
  }
});

test('two loops at once share the pieces', async () => {
  const stream = streamAi(streamOf(WHOLE));
  const [one, two] = await Promise.all([loop(stream), loop(stream)]);
  assert.deepEqual([...one.texts, ...two.texts].sort(), ['Hel', 'lo']);
});

test('a stream that nobody reads asks for nothing, and one whose result nobody hears is no unhandled rejection', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const controller = new AbortController();
  streamAi(pipe.response, { signal: controller.signal });
  streamAi(undefined);
  const late = held();
  const gone = new AbortController();
  gone.abort(REASON);
  streamAi(late.response, { signal: gone.signal });
  const failing = streamAi('no response');
  void failing.result;
  controller.abort(REASON);
  await settle();
  assert.deepEqual([pipe.asked, pipe.cancelled, clock.countTimers()], [0, [REASON], 0]);
  assert.deepEqual([late.asked, late.cancelled], [0, [REASON]]);
});

// ---- what stands in for a body

test('mocks without a stream: the methods of a body are enough', async () => {
  const answer = completion('Hello');
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const mocks = {
    arrayBuffer: { arrayBuffer: async () => bytes.buffer },
    'arrayBuffer, not async': { arrayBuffer: () => bytes.buffer },
    text: { text: async () => JSON.stringify(answer) },
    json: { json: async () => answer },
    'body undefined': { body: undefined, json: async () => answer },
    'a body that throws': { get body() { throw new Error('mine'); }, json: async () => answer },
    'a body that is no stream': { body: {}, text: async () => JSON.stringify(answer) },
    'a Node stream': { body: Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]) },
    'an iterable of strings': { body: (async function* () { yield* JSON.stringify(answer); })() },
    'an iterable that is not async inside': { body: { [Symbol.asyncIterator]: () => [bytes].values() } },
    'a Blob\'s stream': { body: new Blob([bytes]).stream() },
    'an ArrayBuffer as chunk': { body: streamOfAnything([bytes.buffer]) },
    'a DataView as chunk': { body: streamOfAnything([new DataView(bytes.buffer, 0, bytes.length)]) },
    'a view of shared memory': { body: streamOfAnything([shared(bytes)]) },
    'empty chunks in between': { body: streamOfAnything([new Uint8Array(), '', bytes, new Uint8Array(), new ArrayBuffer(0)]) },
  };
  for (const [what, mock] of Object.entries(mocks)) {
    for (const status of [200, '200', undefined]) {
      // A body can be read once.
      if (status !== 200 && 'body' in mock) continue;
      const result = await readAiResult(Object.defineProperty(mock, 'status', { value: status, configurable: true }));
      assert.deepEqual(brief(result), ['complete', null, 'Hello'], what);
    }
  }
});

function streamOfAnything(chunks) {
  return new ReadableStream({ start: (controller) => (chunks.forEach((chunk) => controller.enqueue(chunk)), controller.close()) });
}

function shared(bytes) {
  const view = new Uint8Array(new SharedArrayBuffer(bytes.length));
  view.set(bytes);
  return view;
}

test('headers that are missing, throw, or are a record: the bytes tell what it is', async () => {
  const throwing = () => { throw new Error('mine'); };
  const headers = [undefined, null, {}, { get: throwing }, { get: () => 7 }, { 'content-type': 'text/event-stream' }, new Map([['content-type', 'text/event-stream']])];
  for (const one of headers) {
    const { body } = streamOf(WHOLE);
    assert.deepEqual(brief(await readAiResult({ status: 200, headers: one, body })), ['complete', null, 'Hello']);
  }
  const { body } = streamOf(WHOLE);
  assert.equal((await readAiResult({ get headers() { return throwing(); }, get status() { return throwing(); }, body })).outcome, 'complete');
});

test('a Node stream and an async iterable are given up when the loop is left', async (t) => {
  const clock = virtualClock(t);
  const readable = Readable.from([says('a'), says('b'), says('c')]);
  const given = [];
  const iterable = {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: says('a') }), return: async (...args) => (given.push(args.length), {}) }),
  };
  for (const body of [readable, iterable]) {
    for await (const text of streamAi({ status: 200, body })) {
      assert.equal(text, 'a');
      break;
    }
  }
  await settle();
  assert.deepEqual([readable.destroyed, given, clock.countTimers()], [true, [0], 0]);
});

test('what is no unread response is EOPTION for both, and nothing is unhandled', async () => {
  const used = new Response('x');
  await used.text();
  const locked = new Response('x');
  locked.body.getReader();
  const tasted = streamOf(WHOLE);
  const taster = tasted.body.getReader();
  await taster.read();
  taster.releaseLock();
  const begun = streamOf(WHOLE);
  const stream = streamAi(begun);
  const cases = [undefined, null, 7, 'text', Symbol('s'), {}, [], () => {}, Promise.resolve(new Response('x')), used, locked, tasted, begun, new Proxy({}, { get() { throw new Error('mine'); } })];
  for (const response of cases) {
    const isRefused = (error) => isSteadError(error, 'EOPTION') && error.message.startsWith('`response` must be ');
    await assert.rejects(readAiResult(response), isRefused);
    const refused = streamAi(response);
    await assert.rejects(refused.result, isRefused);
    const { texts, error } = await loop(refused);
    assert.deepEqual([texts, isRefused(error)], [[], true]);
  }
  assert.equal((await stream.result).outcome, 'complete', 'the first reader is not disturbed');
});

test('options that are wrong are EOPTION, name themselves, and the response stays unread', async () => {
  const throwing = { get idleMs() { throw new Error('mine'); } };
  const cases = [
    [{ idleMs: 0 }, 'idleMs'], [{ idleMs: -1 }, 'idleMs'], [{ idleMs: NaN }, 'idleMs'], [{ idleMs: '5' }, 'idleMs'], [{ idleMs: -0 }, 'idleMs'], [{ idleMs: null }, 'idleMs'],
    [{ totalMs: 0 }, 'totalMs'], [{ totalMs: {} }, 'totalMs'], [{ totalMs: Symbol('s') }, 'totalMs'],
    [{ maxBytes: 0 }, 'maxBytes'], [{ maxBytes: Infinity }, 'maxBytes'], [{ maxBytes: 1e300 }, 'maxBytes'], [{ maxBytes: NaN }, 'maxBytes'],
    [{ read: 'x' }, 'read'], [{ signal: {} }, 'signal'], [{ signal: 7 }, 'signal'], [throwing, 'idleMs'], [7, 'options'], ['x', 'options'],
  ];
  for (const [options, name] of cases) {
    const response = new Response('{}');
    const names = (error) => isSteadError(error, 'EOPTION') && error.message.startsWith(`\`${name}\` `);
    await assert.rejects(readAiResult(response, options), names);
    await assert.rejects(streamAi(response, options).result, names);
    assert.deepEqual([response.bodyUsed, response.body.locked], [false, false]);
  }
});

test('options may be frozen, inherited, getters of a class, null, or unknown', async () => {
  class Options { get maxBytes() { return 3; } }
  class More extends Options {}
  for (const options of [new Options(), new More(), Object.create({ maxBytes: 3 }), Object.freeze({ maxBytes: 3, other: 1 })]) {
    assert.equal((await readAiResult(jsonOf(completion('Hello')), options)).errorKind, 'too_large');
  }
  for (const options of [undefined, null, {}, { signal: null }, { read: undefined, idleMs: undefined }]) {
    assert.equal((await readAiResult(jsonOf(completion('Hello')), options)).outcome, 'complete');
  }
});

// ---- the caller's own `read`

test('`read` is asked about each event, with the parsed JSON or the string, and its words are the text', async () => {
  const asked = [];
  const read = (body) => {
    asked.push(body);
    return typeof body === 'string' ? undefined : { text: body.t, finishReason: body.end };
  };
  const stream = streamAi(streamOf([event({ t: 'Hel' }), event({ t: 'lo' }), event({ t: '', end: 'stop' })]), { read });
  assert.deepEqual(await loop(stream), { texts: ['Hel', 'lo'] });
  const { outcome, text, finishReason, provider } = await stream.result;
  assert.deepEqual([outcome, text, finishReason, provider], ['complete', 'Hello', 'stop', 'custom']);
  assert.deepEqual(asked, [{ t: 'Hel' }, { t: 'lo' }, { t: '', end: 'stop' }]);
  assert.equal((await readAiResult(new Response('plain words', { headers: { 'Content-Type': 'text/plain' } }), { read: (body) => ({ text: body.toUpperCase() }) })).text, 'PLAIN WORDS');
});

const notMine = {
  'throws': () => { throw new Error('mine'); },
  'gives undefined': () => undefined,
  'gives null': () => null,
  'gives a string': () => 'text',
  'gives a promise': async () => ({ text: 'late' }),
  'gives a promise that rejects': async () => { throw new Error('mine'); },
  'gives no text': () => ({ finishReason: 'stop' }),
  'gives a text that is no string': () => ({ text: 7 }),
  'gives a text that throws': () => ({ get text() { throw new Error('mine'); } }),
  'gives a proxy that throws': () => new Proxy({}, { get() { throw new Error('mine'); } }),
  'gives a thenable': () => ({ then() { throw new Error('mine'); } }),
};

for (const [what, read] of Object.entries(notMine)) {
  test(`a \`read\` that ${what}: it is read as anybody's`, async () => {
    for (const response of [streamOf(WHOLE), jsonOf(completion('Hello'))]) {
      const result = await readAiResult(response, { read });
      assert.deepEqual([...brief(result), result.provider], ['complete', null, 'Hello', 'openai-chat']);
    }
  });
}

test('a `read` may begin another reading, leave its own, or abort it', async (t) => {
  const clock = virtualClock(t);
  const inner = [];
  const body = () => streamOf([event({ t: 'a' }), event({ t: 'b' }), DONE]);
  const reading = (also) => ({ read: (body) => (also(), { text: body.t }) });
  assert.equal((await readAiResult(body(), reading(() => inner.push(readAiResult(jsonOf(completion('in')), { read: () => undefined }))))).text, 'ab');
  assert.deepEqual((await Promise.all(inner)).map(({ text }) => text), ['in', 'in']);

  const controller = new AbortController();
  await assert.rejects(readAiResult(body(), { ...reading(() => controller.abort(REASON)), signal: controller.signal }), (error) => error === REASON);

  const stream = streamAi(body(), reading(() => stream[Symbol.asyncIterator]().return()));
  await loop(stream);
  assert.deepEqual(brief(await stream.result), ['incomplete_stream', 'cancelled', 'a']);
  assert.equal(clock.countTimers(), 0);
});

test('an error is not shown to `read`', async (t) => {
  const read = t.mock.fn(() => ({ text: 'mine' }));
  assert.deepEqual(brief(await readAiResult(streamOf([event(overloaded())]), { read })), ['error', 'overloaded', '']);
  assert.equal(read.mock.callCount(), 0);
});

// ---- bodies that misbehave

const broken = {
  'read() throws': { read: () => { throw new Error('mine'); } },
  'read() gives nothing': { read: () => undefined },
  'read() gives no promise': { read: () => 7 },
  'read() resolves with nothing': { read: async () => undefined },
  'read() resolves with a symbol': { read: async () => Symbol('s') },
  'read() resolves with a getter that throws': { read: async () => ({ get done() { throw new Error('mine'); } }) },
  'read() gives a thenable that throws': { read: () => ({ then() { throw new Error('mine'); } }) },
  'a chunk is a number': { read: async () => ({ done: false, value: 1e9 }) },
  'a chunk is an object': { read: async () => ({ done: false, value: { length: 3 } }) },
  'a chunk is missing': { read: async () => ({ done: false }) },
  'a chunk is detached': { read: async () => ({ done: false, value: detached() }) },
  'chunks are empty for ever': { read: async () => ({ done: false, value: new Uint8Array() }) },
  'read() is missing': {},
};

function detached() {
  const chunk = new Uint8Array(8);
  structuredClone(chunk, { transfer: [chunk.buffer] });
  return chunk;
}

for (const [what, reader] of Object.entries(broken)) {
  test(`${what}: a broken stream, and nothing hangs`, async (t) => {
    const clock = virtualClock(t);
    const cancelled = [];
    const body = { getReader: () => ({ ...reader, cancel: () => { cancelled.push(1); throw new Error('mine'); } }) };
    const headers = { 'content-type': 'text/event-stream' };
    assert.deepEqual(brief(await readAiResult({ status: 200, headers, body })), ['incomplete_stream', 'network', '']);
    await settle();
    assert.deepEqual([cancelled, clock.countTimers()], [[1], 0]);
  });
}

test('a body that never leaves the page a turn ends by its deadline', async (t) => {
  const clock = virtualClock(t);
  let chunks = 0;
  const read = async () => {
    if (++chunks % 10 === 0) clock.setSystemTime(Date.now() + 100);
    return { done: false, value: says('a') };
  };
  const result = await readAiResult({ status: 200, body: { getReader: () => ({ read, cancel: async () => {} }) } }, { totalMs: 1_000 });
  assert.deepEqual(brief(result), ['incomplete_stream', 'timeout', 'a'.repeat(99)]);
  assert.equal(clock.countTimers(), 0);
});

test('a promise of a chunk that calls back twice delivers once', async () => {
  const left = WHOLE.map((text) => ({ done: false, value: text })).concat({ done: true });
  const read = () => ({ then: (resolve) => { const step = left.shift(); resolve(step); resolve(step); } });
  const stream = streamAi({ status: 200, body: { getReader: () => ({ read, cancel() {} }) } });
  assert.deepEqual(await loop(stream), { texts: ['Hel', 'lo'] });
});

test('mocks whose methods hang, throw or give nonsense', async (t) => {
  const clock = virtualClock(t);
  const cases = [
    [{ text: () => new Promise(() => {}) }, 'timeout'], [{ text: () => { throw new Error('mine'); } }, 'network'], [{ json: async () => { throw new Error('mine'); } }, 'network'],
    [{ text: async () => 7 }, 'network'], [{ arrayBuffer: async () => ({}) }, 'network'], [{ json: async () => 7n }, 'network'], [{ text: async () => undefined }, 'empty_response'],
    [{ json: async () => undefined }, 'empty_response'],
  ];
  for (const [mock, kind] of cases) {
    const result = await finish(clock, readAiResult({ status: 200, headers: {}, ...mock }));
    assert.deepEqual(brief(result), ['error', kind, null]);
    assert.equal(clock.countTimers(), 0);
  }
});

test('JSON nested a million deep is an error, and the next answer is read', async () => {
  const deep = '['.repeat(1_000_000);
  assert.equal((await readAiResult(new Response(`{"choices":${deep}`, { headers: { 'Content-Type': 'application/json' } }))).errorKind, 'bad_json');
  await readAiResult(new Response(`{"choices":${deep}${']'.repeat(1_000_000)}}`, { headers: { 'Content-Type': 'application/json' } }));
  assert.equal((await readAiResult(jsonOf(completion('Hello')))).text, 'Hello');
});

test('hundreds of readings at once on one signal leave no listener', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const results = await Promise.all(Array.from({ length: 300 }, () => readAiResult(streamOf(WHOLE), { signal })));
  assert.ok(results.every(({ text }) => text === 'Hello'));
  assert.deepEqual([getEventListeners(signal, 'abort').length, clock.countTimers()], [0, 0]);
});
