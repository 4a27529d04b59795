// Streams of a model as they end in life: each end by its name, and the text up to there given out once, as it comes.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, readAiResult, streamAi } from '/pkg/index.mjs';
import { DONE, STOP, event, listen, stream } from './chat.mjs';
import { virtualTime } from './clocks.mjs';
import { MODEL, lab } from './lab.mjs';

const WORDS = [event('one '), event('two ')];
const ALL = ['one ', 'two ', 'three '].map((text) => event(text));

/** Asks the scripted model; the answer is still on its way. */
async function asked(step, init) {
  const server = await lab([step]);
  const response = await aiFetch(server.here(MODEL), { method: 'POST', body: '{}', ...init });
  return { server, response };
}

const clientLeft = (server) => server.until(({ requests }) => requests[0].outcome === 'client-left');

describe('a stream', () => {
  it('gives each piece of the text out while the server holds back the next', async () => {
    const { server, response } = await asked(stream([...ALL, STOP + DONE], { holdChunks: true }));
    const answer = streamAi(response);
    const { pieces } = await listen(answer, () => server.release());
    expect(pieces).to.deep.equal(['one ', 'two ', 'three ']);
    expect(await answer.result).to.include({ outcome: 'complete', text: 'one two three ', finishReason: 'stop', partialText: false });
  });

  it('that is zipped on its way reads the same', async () => {
    const zipped = new Blob([...ALL, STOP, DONE]).stream().pipeThrough(new CompressionStream('gzip'));
    const bytes = Array.from(new Uint8Array(await new Response(zipped).arrayBuffer()));
    const chunks = [bytes.slice(0, 7), bytes.slice(7, 40), bytes.slice(40)];
    const headers = { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' };
    const { response } = await asked(stream(chunks, { headers, chunkEveryMs: 1 }));
    const answer = streamAi(response);
    const { pieces } = await listen(answer);
    expect(pieces.join('')).to.equal('one two three ');
    expect(await answer.result).to.include({ outcome: 'complete', text: 'one two three ' });
  });

  for (const [how, drop] of [['is reset', 'rst-mid-body'], ['breaks off', 'mid-body']]) {
    it(`that ${how} midway ends the loop normally, and its result says so`, async () => {
      const { response } = await asked(stream(WORDS, { drop, chunkEveryMs: 50 }));
      const answer = streamAi(response);
      const { pieces, thrown } = await listen(answer);
      expect(thrown).to.equal(undefined);
      expect(pieces.join('')).to.equal('one two ');
      const expected = { outcome: 'incomplete_stream', errorKind: 'network', text: 'one two ', partialText: true, retryable: false };
      expect(await answer.result).to.include(expected);
    });
  }

  it('that ends orderly without its last sign is incomplete, too', async () => {
    const { response } = await asked(stream(WORDS));
    expect(await readAiResult(response)).to.include({ outcome: 'incomplete_stream', errorKind: null, text: 'one two ', partialText: true });
  });
});

describe('a stream that stalls', () => {
  const STALLED = stream([event('one ')], { stall: 'mid-body' });
  const EXPECTED = { outcome: 'incomplete_stream', errorKind: 'timeout', text: 'one ', partialText: true };

  const LIMITS = [
    ['after a minute', {}, {}, 60_000],
    ['after the idleMs of the call', { timeout: { idleMs: 20_000 } }, {}, 20_000],
    ['after the idleMs of the reading, whatever the call says', { timeout: { idleMs: 20_000 } }, { idleMs: 30_000 }, 30_000],
  ];
  for (const [when, init, options, ms] of LIMITS) {
    it(`ends ${when}, and the server sees nobody listen`, async () => {
      const { server, response } = await asked(STALLED, init);
      const clock = virtualTime();
      const answer = streamAi(response, options);
      const iterator = answer[Symbol.asyncIterator]();
      expect(await iterator.next()).to.deep.equal({ done: false, value: 'one ' });
      let ended;
      const next = iterator.next().then((step) => (ended = step));
      await clock.tickAsync(ms - 1);
      expect(ended).to.equal(undefined);
      await clock.tickAsync(1);
      expect(await next).to.deep.equal({ done: true, value: undefined });
      expect(await answer.result).to.include(EXPECTED);
      expect(clock.countTimers()).to.equal(0);
      await clientLeft(server);
    });
  }

  it('ends by the real clock, too', async () => {
    const { server, response } = await asked(STALLED);
    expect(await readAiResult(response, { idleMs: 150 })).to.include(EXPECTED);
    await clientLeft(server);
  });
});

describe('a stream that trickles', () => {
  /** Lets the pieces go one by one, each so long after the one before; stops at a loop's end. */
  async function trickled(init, options, everyMs) {
    const clock = virtualTime();
    const { server, response } = await asked(stream([...ALL, ...ALL, STOP + DONE], { holdChunks: true }), init);
    const began = clock.now;
    const answer = streamAi(response, options);
    let endedMs;
    const loop = listen(answer, async () => {
      await clock.tickAsync(everyMs);
      await server.release();
    });
    const heard = await loop.finally(() => (endedMs = clock.now - began));
    return { server, clock, pieces: heard.pieces, endedMs, result: await answer.result };
  }

  const LATE = { outcome: 'incomplete_stream', errorKind: 'timeout', text: 'one two three ', partialText: true };
  const LIMITS = [
    ['its own totalMs', {}, { totalMs: 100_000 }],
    ['the time that the caller gave the call', { timeout: 100_000 }, {}],
  ];
  for (const [limit, init, options] of LIMITS) {
    it(`past ${limit} ends there`, async () => {
      const { server, pieces, result, clock } = await trickled(init, options, 40_000);
      expect(pieces).to.deep.equal(['one ', 'two ', 'three ']);
      expect(result).to.include(LATE);
      expect(clock.countTimers()).to.equal(0);
      await clientLeft(server);
    });
  }

  it('is never cut by a default', async () => {
    const { pieces, result, endedMs } = await trickled({}, {}, 59_000);
    expect(pieces).to.have.length(6);
    expect(endedMs).to.be.above(250_000);
    expect(result).to.include({ outcome: 'complete', text: 'one two three one two three ' });
  });
});

describe('every stream of tests/vectors/ai_bodies', () => {
  const FOLDER = '/tests/vectors/ai_bodies/';
  const SIZES = [1, 7, 3, 64, 13, 111];

  /** Cut without regard to lines and characters; the last part is the rest. */
  function odd(bytes) {
    let at = 0;
    const parts = SIZES.map((size) => bytes.slice(at, (at += size)));
    return [...parts, bytes.slice(at)].filter(({ length }) => length > 0).map((part) => Array.from(part));
  }

  const read = async (answer) => {
    const { pieces } = await listen(answer);
    const { outcome, errorKind, text, finishReason, partialText } = await answer.result;
    return { label: outcome === 'error' ? `error(${errorKind})` : outcome, text, finishReason, partialText, said: pieces.join('') };
  };

  it('comes to its outcome in odd pieces, its text given out once', async () => {
    const { cases } = await (await fetch(`${FOLDER}index.json`)).json();
    const streams = cases.filter(({ kind }) => kind === 'sse' || kind === 'ndjson');
    expect(streams).to.have.length.above(30);
    const bodies = await Promise.all(streams.map(async ({ file }) => new Uint8Array(await (await fetch(FOLDER + file)).arrayBuffer())));
    const server = await lab(streams.map(({ status, headers }, at) => ({ status, headers, chunks: odd(bodies[at]), chunkEveryMs: 1 })));
    for (const { file, label, accept = [], text, finishRaw, partialText = false } of streams) {
      const found = await read(streamAi(await fetch(server.here(MODEL))));
      expect([label, ...accept], file).to.include(found.label);
      expect(found, file).to.include({ text, finishReason: finishRaw, partialText });
      expect(found.said, file).to.equal(text || '');
    }
  });
});

describe('what is no stream of a model', () => {
  const BODIES = [
    ['a sign-in page in its place', { redirect: 'login' }, { outcome: 'error', errorKind: 'not_sse', text: null }],
    ['an error in a 200', { body: { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } } }, { outcome: 'error', errorKind: 'rate_limited', text: null, retryable: true }],
    ['an answer of a Function App', { body: { answer: 'It depends.' } }, { outcome: 'unknown', errorKind: null, text: 'It depends.' }],
  ];
  for (const [name, step, expected] of BODIES) {
    it(`is told by its name: ${name}`, async () => {
      const { response } = await asked(step);
      expect(response.status).to.equal(200);
      const answer = streamAi(response);
      const { pieces, thrown } = await listen(answer);
      expect(thrown).to.equal(undefined);
      expect(pieces.join('')).to.equal(expected.text || '');
      expect(await answer.result).to.include(expected);
    });
  }

  it('is complete through the caller\'s own `read`', async () => {
    const { response } = await asked({ body: { answer: 'It depends.' } });
    const read = ({ answer }) => ({ text: answer });
    expect(await readAiResult(response, { read })).to.include({ outcome: 'complete', provider: 'custom', text: 'It depends.' });
  });
});
