// readAiResult and streamAi: what ends the reading of an answer from this side, time, size and aborts.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { DONE, WHOLE, brief, fetched, held, isEnded, loop, says, streamOf, withBody } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { after, finish, scripted, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, readAiResult, streamAi } = await importFresh();
const REASON = { why: 'the user left the page' };

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

test('an empty chunk is no sign of life', async (t) => {
  const clock = virtualClock(t);
  const pipe = held();
  const read = readAiResult(pipe.response, { idleMs: 100 });
  for (let n = 0; n < 3; n++) {
    pipe.push(new Uint8Array(0));
    await settle();
    await clock.tickAsync(40);
  }
  assert.deepEqual(brief(await read).slice(0, 2), ['incomplete_stream', 'timeout']);
  isEnded(clock, pipe);
});

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

test('an abort that another listener keeps from us is seen when the next chunk is asked for, when one comes, when the body breaks, and when time is up', async (t) => {
  const clock = virtualClock(t);
  t.mock.method(AbortSignal, 'any', () => assert.fail('missing before 2023')); // what it makes hears every abort
  for (const notice of [(pipe) => pipe.push(says('b')), (pipe) => pipe.fail(new TypeError('x')), () => clock.tickAsync(60_000)]) {
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
