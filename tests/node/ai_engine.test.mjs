// AI answers where WebAssembly is refused or stops: nothing hangs, nothing is lost silently, and nothing is asked whose
// answer could not be read.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { DONE, POST, brief, completion, finished, held, jsonOf, loop, says, streamOf } from './ai_bodies.mjs';
import { breakableWebAssembly, recordWarnings, refusals } from './broken_engine.mjs';
import { importFresh, importWithoutJs, withGlobals } from './fresh_package.mjs';
import { MODEL, finish, scripted, settle, virtualClock } from './scripted_fetch.mjs';

const WHOLE = [says('Hel'), says('lo'), finished(), DONE];
const CACHE = { source: 'cache', get: () => 'yesterday\'s' };

for (const [what, replacement] of Object.entries(refusals)) {
  test(`where WebAssembly ${what}: EENGINE from the readers, the response unread; askAi sends nothing and asks its fallbacks`, async (t) => {
    const warnings = recordWarnings(t);
    withGlobals(t, { WebAssembly: replacement });
    const { askAi, engine, isSteadError, readAiResult, streamAi } = await importWithoutJs();
    const isRefused = (error) => isSteadError(error, 'EENGINE');
    const response = jsonOf(completion('Hello'));
    await assert.rejects(readAiResult(response), isRefused);
    const stream = streamAi(response);
    assert.ok(isRefused((await loop(stream)).error));
    await assert.rejects(stream.result, isRefused);
    assert.deepEqual([response.bodyUsed, response.body.locked], [false, false]);

    const { fetch, sends } = scripted();
    const got = await askAi(MODEL, { ...POST, fetch, fallbacks: [CACHE] });
    assert.deepEqual([got.text, got.source, got.failure.reason, got.failure.info], ['yesterday\'s', 'cache', 'unavailable', undefined]);
    assert.ok(isRefused(got.failure.error));
    assert.equal((await askAi(MODEL, { ...POST, fetch })).message, 'The AI service is not available at the moment. There is no answer.');
    assert.deepEqual([sends.length, engine(), warnings.length], [0, 'none', 1]);
  });
}

test('wherever in a reading the wasm stops: EENGINE, the body is given up, nothing is left, and the next reading works', async (t) => {
  const clock = virtualClock(t);
  const wasm = breakableWebAssembly(t);
  const { isSteadError, readAiResult, streamAi } = await importFresh();
  const readers = [
    (response, options) => readAiResult(response, options),
    (response, options) => loop(streamAi(response, options)).then(({ error }) => (error ? Promise.reject(error) : undefined)),
    (response, options) => streamAi(response, options).result,
  ];
  await readAiResult(streamOf(WHOLE));
  let stopped = 0;
  for (const read of readers) {
    for (let spared = 0, through = false; !through; spared++) {
      const controller = new AbortController();
      const pipe = held();
      wasm.trap({ spared });
      wasm.entries = 0;
      const call = read(pipe.response, { signal: controller.signal, read: () => undefined });
      call.catch(() => {});
      // Until the first word it may have stopped already.
      await settle();
      if (pipe.cancelled.length === 0) pipe.push(...WHOLE);
      const outcome = await finish(clock, call.catch((error) => error));
      through = wasm.entries === 0;
      if (!through) {
        stopped += 1;
        // Letting go of what is over already is no failure any more.
        assert.ok(isSteadError(outcome, 'EENGINE') || (outcome === undefined || outcome.outcome === 'complete'), String(outcome));
        if (isSteadError(outcome)) assert.equal(outcome.cause.name, 'RuntimeError');
      }
      assert.equal(pipe.cancelled.length, 1);
      assert.deepEqual([clock.countTimers(), getEventListeners(controller.signal, 'abort')], [0, []]);
      wasm.heal();
      assert.deepEqual(brief(await readAiResult(streamOf(WHOLE))), ['complete', null, 'Hello']);
    }
  }
  assert.ok(stopped > 30);
});

test('a reading that stops takes down the others that were under way, and no later one', async (t) => {
  const clock = virtualClock(t);
  const wasm = breakableWebAssembly(t);
  const { isSteadError, readAiResult, streamAi } = await importFresh();
  const pipes = [held(), held()];
  const [one, two] = pipes.map(({ response }) => loop(streamAi(response)));
  pipes[0].push(says('a'));
  pipes[1].push(says('b'));
  await settle();
  wasm.trap();
  pipes[0].push(says('c'));
  await settle();
  wasm.heal();
  const later = held();
  const third = readAiResult(later.response);
  pipes[1].push(says('d'));
  later.push(...WHOLE);
  for (const [{ texts, error }, wanted] of [[await one, ['a']], [await two, ['b']]]) {
    assert.deepEqual([texts, isSteadError(error, 'EENGINE')], [wanted, true]);
  }
  assert.equal((await third).text, 'Hello');
  assert.equal(clock.countTimers(), 0);
});

test('leaving a loop lets go of the reader at once, and is no error even if that stops the wasm', async (t) => {
  const clock = virtualClock(t);
  const wasm = breakableWebAssembly(t);
  const { isSteadError, streamAi } = await importFresh();
  const pipe = held();
  const stream = streamAi(pipe.response);
  const iterator = stream[Symbol.asyncIterator]();
  pipe.push(says('a'));
  assert.equal((await iterator.next()).value, 'a');
  wasm.trap();
  assert.deepEqual(await iterator.return(), { done: true, value: undefined });
  assert.ok(wasm.entries > 0);
  await assert.rejects(stream.result, (error) => isSteadError(error, 'EENGINE'));
  assert.deepEqual([clock.countTimers(), pipe.cancelled.length], [0, 1]);
});

test('wherever in a question the readers stop, askAi answers: with what was shown, or with a fallback', async (t) => {
  const clock = virtualClock(t);
  const wasm = breakableWebAssembly(t);
  const { askAi, isSteadError, readAiResult, ready } = await importFresh();
  await ready();
  await readAiResult(streamOf(WHOLE));
  for (const shows of [true, false]) {
    let stopped = 0;
    for (let spared = 0, through = false; !through; spared++) {
      const pipe = held();
      let shown = '';
      const fetch = async () => {
        wasm.trap({ spared, from: 1 });
        wasm.entries = 0;
        return pipe.response;
      };
      const onText = shows ? (text) => void (shown += text) : undefined;
      const call = askAi(MODEL, { ...POST, fetch, endpoint: `e${spared}`, fallbacks: [CACHE], onText });
      await settle();
      if (pipe.cancelled.length === 0) pipe.push(...WHOLE);
      const { text, source, failure } = await finish(clock, call);
      through = wasm.entries === 0;
      stopped += through ? 0 : 1;
      if (failure) {
        assert.ok(isSteadError(failure.error, 'EENGINE'));
        assert.deepEqual([text, source, failure.reason], shown ? [shown, 'model', 'unavailable'] : ['yesterday\'s', 'cache', 'unavailable']);
      } else assert.deepEqual([text, source], ['Hello', 'model']);
      assert.deepEqual([clock.countTimers(), pipe.cancelled.length], [0, 1]);
      wasm.heal();
    }
    assert.ok(stopped > 10);
  }
});

test('when the fetches stop, askAi asks its fallbacks, and the next question is sent once, by plain fetch', async (t) => {
  const clock = virtualClock(t);
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { askAi, engine, isSteadError, readAiResult, ready } = await importFresh();
  await ready();
  await readAiResult(streamOf(WHOLE));
  wasm.trap();
  const { failure, source } = await finish(clock, askAi(MODEL, { ...POST, fetch: scripted().fetch, fallbacks: [CACHE] }));
  assert.deepEqual([source, failure.reason, isSteadError(failure.error, 'EENGINE')], ['cache', 'unavailable', true]);
  wasm.heal();
  const { fetch, sends } = scripted(() => jsonOf({ error: { type: 'overloaded_error' } }), () => streamOf(WHOLE));
  const first = await finish(clock, askAi(MODEL, { ...POST, fetch, fallbacks: [CACHE] }));
  assert.deepEqual([first.source, first.failure.reason, first.failure.info, sends.length], ['cache', 'unavailable', undefined, 1]);
  assert.equal((await finish(clock, askAi(MODEL, { ...POST, fetch }))).text, 'Hello');
  assert.equal(engine(), 'none');
});
