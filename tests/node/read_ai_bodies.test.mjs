// readAiResult and streamAi: what may be given to them, mocks, options, the caller's own `read`, and bodies that misbehave.

import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DONE, WHOLE, brief, completion, event, jsonOf, loop, overloaded, says, streamOf } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { answer, finish, settle, virtualClock } from './scripted_fetch.mjs';

const { isSteadError, readAiResult, streamAi } = await importFresh();
const REASON = { why: 'the user left the page' };

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
