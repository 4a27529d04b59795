// A person presses Stop: the reading ends at once with the caller's own reason, the text so far is kept, and nothing of
// it stays behind in the page or at the server.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, readAiResult, streamAi } from '/pkg/index.mjs';
import { followersOf, listenersOn, timers } from './balance.mjs';
import { event, listen, stream } from './chat.mjs';
import { MODEL, lab } from './lab.mjs';
import { replace } from './replace.mjs';

const REASON = new Error('enough');
const HELD = stream(['one ', 'two ', 'three '].map((text) => event(text)), { holdChunks: true });
const CANCELLED = { outcome: 'incomplete_stream', errorKind: 'cancelled', text: 'one ', partialText: true, retryable: false };

/** Asks a model that holds back everything but its first words. */
async function asked(init) {
  const server = await lab([HELD]);
  return { server, response: await aiFetch(server.here(MODEL), { method: 'POST', body: '{}', ...init }) };
}

const clientLeft = (server) => server.until(({ requests }) => requests[0].outcome === 'client-left');

/** The two places where a caller may put a signal: in the call, or in the reading. */
const SIGNALS = { 'of the call': (signal) => [{ signal }, {}], 'of the reading': (signal) => [{}, { signal }] };

for (const any of [true, false]) {
  describe(`an abort by the signal, ${any ? 'with' : 'without'} AbortSignal.any`, () => {
    beforeEach(() => any || replace(AbortSignal, 'any', undefined));

    for (const [whose, place] of Object.entries(SIGNALS)) {
      it(`${whose} leaves the loop with the caller's reason; the result has the text so far`, async () => {
        const controller = new AbortController();
        const [init, options] = place(controller.signal);
        const { server, response } = await asked(init);
        const answer = streamAi(response, options);
        const heard = listen(answer, () => controller.abort(REASON));
        expect(await heard).to.deep.equal({ pieces: ['one '], thrown: REASON });
        expect(await answer.result).to.include(CANCELLED);
        await clientLeft(server);
      });

      it(`${whose} rejects readAiResult with the caller's reason`, async () => {
        const controller = new AbortController();
        const [init, options] = place(controller.signal);
        const { server, response } = await asked(init);
        const reading = readAiResult(response, options).catch((error) => error);
        await server.held();
        controller.abort(REASON);
        expect(await reading).to.equal(REASON);
        await clientLeft(server);
      });
    }
  });
}

describe('a Stop button', () => {
  it('that is pressed while the page is busy with a piece throws at the next, and nothing is read on', async () => {
    const controller = new AbortController();
    const { server, response } = await asked({ signal: controller.signal });
    const answer = streamAi(response);
    const heard = await listen(answer, async () => {
      await server.release(); // the next piece is on its way
      controller.abort(REASON);
    });
    expect(heard).to.deep.equal({ pieces: ['one '], thrown: REASON });
    expect(await answer.result).to.include(CANCELLED);
    await clientLeft(server);
  });

  it('before the first word throws without a word', async () => {
    const controller = new AbortController();
    const server = await lab([stream(['data: {}\n\n'], { stall: 'mid-body' })]);
    const response = await aiFetch(server.here(MODEL), { signal: controller.signal });
    const answer = streamAi(response);
    const heard = listen(answer);
    controller.abort(REASON);
    expect(await heard).to.deep.equal({ pieces: [], thrown: REASON });
    expect(await answer.result).to.include({ outcome: 'incomplete_stream', errorKind: 'cancelled', partialText: false });
    await clientLeft(server);
  });

  it('that was pressed already lets nothing be read', async () => {
    const { server, response } = await asked();
    const answer = streamAi(response, { signal: AbortSignal.abort(REASON) });
    expect(await listen(answer)).to.deep.equal({ pieces: [], thrown: REASON });
    expect(await answer.result).to.include({ errorKind: 'cancelled' });
    await clientLeft(server);
  });
});

describe('breaking out of the loop', () => {
  it('ends the connection, and the result has the text so far', async () => {
    const { server, response } = await asked();
    const answer = streamAi(response);
    for await (const text of answer) {
      expect(text).to.equal('one ');
      break;
    }
    expect(await answer.result).to.include(CANCELLED);
    await clientLeft(server);
  });

  it('by an error of the page does the same, and the error arrives', async () => {
    const { server, response } = await asked();
    const answer = streamAi(response);
    const heard = await listen(answer, () => {
      throw REASON;
    });
    expect(heard).to.deep.equal({ pieces: ['one '], thrown: REASON });
    expect(await answer.result).to.include(CANCELLED);
    await clientLeft(server);
  });
});

it('many streams on one signal, ended in every way, put no listener on it, and leave no timer and no connection', async () => {
  const { signal } = new AbortController();
  const listeners = listenersOn(signal);
  const followers = followersOf(signal, replace);
  const running = timers(replace);
  const WAYS = [
    [stream([event('one '), event('', 'stop')]), (answer) => listen(answer), 'complete'],
    [stream([event('one ')], { stall: 'mid-body' }), async (answer) => { for await (const _ of answer) break; }, 'incomplete_stream'],
    [stream([event('one ')], { drop: 'rst-mid-body', chunkEveryMs: 5 }), (answer) => listen(answer), 'incomplete_stream'],
    [{ page: 'html' }, () => {}, 'error'],
  ];
  const ROUNDS = 10;
  const server = await lab(Array.from({ length: ROUNDS }, () => WAYS.map(([step]) => step)).flat());
  for (let round = 0; round < ROUNDS; round++) {
    for (const [, end, outcome] of WAYS) {
      const response = await aiFetch(server.here(MODEL), { method: 'POST', body: '{}', signal, circuit: false });
      const answer = streamAi(response, { signal });
      await end(answer);
      expect((await answer.result).outcome).to.equal(outcome);
    }
  }
  expect(running.open.size).to.equal(0);
  expect(listeners.added).to.equal(0);
  expect(followers).to.have.length(1);
  expect(running.added).to.be.at.least(ROUNDS * WAYS.length);
  await server.until(({ inFlight }) => inFlight === 0);
});
