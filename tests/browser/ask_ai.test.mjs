// askAi against a real server: what is asked twice and what never, and what is said when the model says nothing.

import { expect } from '/node_modules/chai/index.js';
import { askAi } from '/pkg/index.mjs';
import { DONE, STOP, event, stream } from './chat.mjs';
import { stopClocks } from './clocks.mjs';
import { MODEL, lab } from './lab.mjs';

const FAILED = { error: { type: 'overloaded_error', message: 'Overloaded' } };
const FAILED_EVENT = `event: error\ndata: ${JSON.stringify({ type: 'error', ...FAILED })}\n\n`;
const WORDS = [event('one '), event('two ')];
const ANSWER = stream([...WORDS, STOP + DONE]);
const CUT = stream(WORDS, { drop: 'rst-mid-body', chunkEveryMs: 50 });
const DOWN = { status: 500 };

const ask = (server, init) => askAi(server.here(MODEL), { method: 'POST', body: '{}', backoff: { baseMs: 1 }, ...init });

const seen = async (server) => (await server.requests()).length;

describe('an error in a 200, before any text', () => {
  for (const [name, step] of [['a body', { body: FAILED }], ['the first event of a stream', stream([FAILED_EVENT])]]) {
    it(`is repeated: ${name}`, async () => {
      const server = await lab([step, ANSWER]);
      const texts = [];
      const answer = await ask(server, { onText: (text) => texts.push(text) });
      expect(answer).to.include({ text: 'one two ', source: 'model', failure: null, message: 'The answer is complete.' });
      expect(answer.result).to.include({ outcome: 'complete' });
      expect(texts.join('')).to.equal('one two ');
      expect(await seen(server)).to.equal(2);
    });
  }

  it('waits as long as the body says', async () => {
    const limited = { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 250ms.' } };
    const server = await lab([{ body: limited }, ANSWER]);
    expect(await ask(server)).to.include({ text: 'one two ', source: 'model' });
    const [first, second] = await server.requests();
    expect(second.atMs - first.endedMs).to.be.at.least(249);
  });

  it('that stays is said, and the fallback is asked', async () => {
    const server = await lab({ steps: [{ body: FAILED }], then: 'repeat' });
    const answer = await ask(server, { fallbacks: [{ source: 'plain', get: () => 'Order 17 is on its way.' }] });
    expect(answer).to.include({ text: 'Order 17 is on its way.', source: 'plain' });
    expect(answer.failure).to.include({ reason: 'unavailable' }).and.have.property('info').that.includes({ stop: 'no-retries-left' });
    expect(await seen(server)).to.equal(3);
  });

  it('is not repeated when it may not pass', async () => {
    const server = await lab({ steps: [{ body: { error: { code: 'insufficient_quota', message: 'You exceeded your quota.' } } }], then: 'repeat' });
    const answer = await ask(server);
    expect(answer).to.include({ text: null, source: 'none', message: 'The quota for AI answers is used up. There is no answer.' });
    expect(await seen(server)).to.equal(1);
  });

  const SLOW = [
    ['whose headers took half a minute', { body: FAILED, hold: true }],
    ['whose first event took half a minute', stream([': alive\n\n', FAILED_EVENT], { holdChunks: true })],
  ];
  for (const [name, step] of SLOW) {
    it(`is never repeated when it was slow: ${name}`, async () => {
      const server = await lab({ steps: [step], then: 'repeat' });
      const time = stopClocks();
      const asked = ask(server);
      await server.held();
      time.pass(30_000);
      await server.release();
      expect(await asked).to.include({ source: 'none' }).and.have.property('result').that.includes({ outcome: 'error', errorKind: 'overloaded' });
      expect(await seen(server)).to.equal(1);
    });
  }
});

describe('after the first text', () => {
  const BROKEN = [
    ['an error event', stream([WORDS[0], FAILED_EVENT]), 'one ', { outcome: 'error', errorKind: 'overloaded', partialText: true }],
    ['a reset', CUT, 'one two ', { outcome: 'incomplete_stream', errorKind: 'network', partialText: true }],
    ['an end without a last sign', stream(WORDS), 'one two ', { outcome: 'incomplete_stream', errorKind: null, partialText: true }],
  ];
  for (const [name, step, text, result] of BROKEN) {
    it(`nothing is repeated and no fallback takes its place: ${name}`, async () => {
      const server = await lab({ steps: [step], then: 'repeat' });
      const texts = [];
      const answer = await ask(server, { onText: (text) => texts.push(text), fallbacks: [{ source: 'plain', get: () => 'Plain words.' }] });
      expect(answer).to.include({ text, source: 'model' });
      expect(answer.message).to.match(/What has come of the answer is not all of it\.$/);
      expect(answer.failure.reason).to.equal('unavailable');
      expect(answer.result).to.include(result);
      expect(texts.join('')).to.equal(text);
      expect(await seen(server)).to.equal(1);
    });
  }

  it('that nobody was shown, the fallback answers, and the model is still asked once', async () => {
    const server = await lab({ steps: [CUT], then: 'repeat' });
    const answer = await ask(server, { fallbacks: [{ source: 'cache', get: () => 'What it said yesterday.' }] });
    expect(answer).to.include({ text: 'What it said yesterday.', source: 'cache' });
    expect(answer.message).to.equal('The AI service is not available at the moment. This is an earlier answer.');
    expect(answer.failure.result).to.include({ text: 'one two ', partialText: true });
    expect(await seen(server)).to.equal(1);
  });
});

describe('a fallback', () => {
  it('may ask a backup model by a call of its own', async () => {
    const main = await lab({ steps: [DOWN], then: 'repeat' });
    const backup = await lab([ANSWER]);
    const get = async (why, signal) => {
      expect(why.reason).to.equal('unavailable');
      return (await ask(backup, { signal })).text;
    };
    const answer = await ask(main, { fallbacks: [{ source: 'backup-model', get }] });
    expect(answer).to.include({ text: 'one two ', source: 'backup-model' });
    expect(answer.message).to.match(/This answer comes from a backup model\.$/);
    expect([await seen(main), await seen(backup)]).to.deep.equal([1, 1]);
  });

  it('that throws, has nothing or is late passes to the next', async () => {
    const main = await lab([DOWN]);
    const silent = await lab([{ stall: 'before-headers' }]);
    const fallbacks = [
      { source: 'backup-model', get: () => { throw new Error('no'); } },
      { source: 'cache', get: () => null },
      { source: 'backup-model', get: (why, signal) => fetch(silent.here(MODEL), { signal }).then(() => 'late') },
      { source: 'plain', get: () => 'Plain words.' },
    ];
    expect(await ask(main, { fallbacks, fallbackMs: 150 })).to.include({ text: 'Plain words.', source: 'plain' });
    await silent.until(({ requests }) => requests[0].outcome === 'client-left');
  });

  it('for a refusal or a truncated answer is one that asks for it', async () => {
    const server = await lab({ steps: [stream([WORDS[0], event('', 'length'), DONE])], then: 'repeat' });
    const plain = { source: 'plain', get: () => 'Plain words.' };
    expect(await ask(server, { fallbacks: [plain] })).to.include({ text: 'one ', source: 'model' });
    expect(await ask(server, { fallbacks: [plain, { ...plain, on: ['truncated'] }] })).to.include({ text: 'Plain words.', source: 'plain' });
  });

  it('comes in time when the model does not', async () => {
    const server = await lab([{ stall: 'before-headers' }]);
    const answer = await ask(server, { timeout: 300, fallbacks: [{ source: 'plain', get: () => 'Plain words.' }] });
    expect(answer).to.include({ text: 'Plain words.', message: 'The AI service did not answer in time. This was put together without AI.' });
    expect(answer.failure).to.include({ reason: 'deadline' });
    await server.until(({ requests }) => requests[0].outcome === 'client-left');
  });
});

describe('a stream without a word', () => {
  it('is given up after idleMs, its connection, too, and the fallback answers', async () => {
    const server = await lab({ steps: [stream([': alive\n\n'], { stall: 'mid-body' })], then: 'repeat' });
    const answer = await ask(server, { idleMs: 150, fallbacks: [{ source: 'plain', get: () => 'Plain words.' }] });
    expect(answer).to.include({ text: 'Plain words.', source: 'plain' });
    expect(answer.failure.result).to.include({ outcome: 'incomplete_stream', errorKind: 'timeout', partialText: false });
    await server.until(({ requests }) => requests.length === 1 && requests[0].outcome === 'client-left');
  });
});

describe('a back end whose streams are cut', () => {
  it('is left alone once its circuit is open: the next question goes to the fallback without a request', async () => {
    const server = await lab({ steps: [CUT], then: 'repeat' });
    const fallbacks = [{ source: 'cache', get: () => 'What it said yesterday.' }];
    const init = { fallbacks, circuit: { openMs: 60_000 } };
    for (let call = 1; call <= 4; call++) expect((await ask(server, init)).failure.reason).to.equal('unavailable');
    const answer = await ask(server, init);
    expect(answer).to.include({ text: 'What it said yesterday.', source: 'cache' });
    expect(answer.failure).to.include({ reason: 'circuit-open' }).and.have.property('info').that.includes({ stop: 'circuit-open' });
    expect(await seen(server)).to.equal(4);
  });
});

describe('an abort', () => {
  const REASON = new Error('enough');
  const aborted = (server, init) => {
    const controller = new AbortController();
    const asked = ask(server, { signal: controller.signal, ...init }).catch((error) => error);
    return { abort: () => controller.abort(REASON), asked };
  };

  it('while the model speaks rejects with the caller\'s reason, and no fallback is asked', async () => {
    const server = await lab([stream(WORDS, { holdChunks: true })]);
    let heard;
    const text = new Promise((resolve) => (heard = resolve));
    let fallbacks = 0;
    const { abort, asked } = aborted(server, { onText: heard, fallbacks: [{ source: 'plain', get: () => `${++fallbacks}` }] });
    expect(await text).to.equal('one ');
    abort();
    expect(await asked).to.equal(REASON);
    expect(fallbacks).to.equal(0);
    await server.until(({ requests }) => requests[0].outcome === 'client-left');
  });

  it('while a fallback is asked rejects, too, and the fallback hears of it', async () => {
    const main = await lab([DOWN]);
    const backup = await lab([{ hold: true }]);
    const get = (why, signal) => fetch(backup.here(MODEL), { signal }).then(() => 'late');
    const { abort, asked } = aborted(main, { fallbacks: [{ source: 'backup-model', get }] });
    await backup.held();
    abort();
    expect(await asked).to.equal(REASON);
    await backup.until(({ requests }) => requests[0].outcome === 'client-left');
  });
});
