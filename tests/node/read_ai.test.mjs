// readAiResult and streamAi: the ends that an answer comes to, who hears of them, and what is left behind, which is nothing.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { DONE, WHOLE, brief, completion, event, finished, held, isEnded, jsonOf, loop, overloaded, says, streamOf } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { finish, settle, virtualClock } from './scripted_fetch.mjs';

const { readAiResult, streamAi } = await importFresh();
const REASON = { why: 'the user left the page' };

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
