// The body of an answer belongs to the caller: it stays bound to the caller's signal and to a time that the caller
// set, and nothing else ever cuts it.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, createSpFetch, isSteadError, spFetch } from '/pkg/index.mjs';
import { virtualTime } from './clocks.mjs';
import { collectGarbage } from './collect_garbage.mjs';
import { PACKAGE } from './engine_here.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { replace } from './replace.mjs';

const UNENDING = { chunks: ['one '], stall: 'mid-body' };
const TRICKLING = { chunks: ['one ', 'two ', 'three'], chunkEveryMs: 100 };

/** An answer of which the first words have arrived. */
async function begun(call) {
  const response = await call;
  const reader = response.body.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).to.match(/^one /);
  return reader;
}

async function readOn(reader) {
  for (;;) {
    const { done } = await reader.read();
    if (done) return 'whole';
  }
}

/** A reading that is watched from outside. */
function settled(promise) {
  const watched = { failure: undefined };
  watched.end = promise.then(() => expect.fail('read to its end'), (error) => (watched.failure = error));
  return watched;
}

const failureOf = (promise) => promise.then((value) => expect.fail(`succeeded: ${value}`), (error) => error);

for (const any of [true, false]) {
  describe(`a body that is still under way, ${any ? 'with' : 'without'} AbortSignal.any`, () => {
    beforeEach(() => any || replace(AbortSignal, 'any', undefined));

    for (const [name, send, path] of [['spFetch', spFetch, ITEMS], ['aiFetch', aiFetch, MODEL]]) {
      it(`of ${name} is ended by the caller's abort, with the caller's reason`, async () => {
        const server = await lab([UNENDING]);
        const controller = new AbortController();
        const reader = await begun(send(server.here(path), { signal: controller.signal }));
        const reason = new Error('enough');
        const failure = failureOf(readOn(reader));
        controller.abort(reason);
        expect(await failure).to.equal(reason);
        await server.until(({ requests }) => requests[0].outcome === 'client-left');
      });

      it(`of ${name} is ended by the caller's abort though only the browser still holds the answer`, async () => {
        const server = await lab([UNENDING]);
        const controller = new AbortController();
        const failure = failureOf((await send(server.here(path), { signal: controller.signal })).text());
        for (let n = 0; n < 5; n++) await collectGarbage();
        controller.abort();
        // Firefox has its own error for what reads on without us, whatever the reason.
        expect((await failure).name).to.equal('AbortError');
        await server.until(({ requests }) => requests[0].outcome === 'client-left');
      });

      it(`of ${name} is ended by a time that the caller set, at exactly that time`, async () => {
        const server = await lab([UNENDING]);
        const clock = virtualTime();
        const reader = await begun(send(server.here(path), { timeout: 60_000 }));
        const reading = settled(readOn(reader));
        await clock.tickAsync(59_999);
        expect(reading.failure).to.equal(undefined);
        await clock.tickAsync(1);
        await reading.end;
        expect(isSteadError(reading.failure, 'ETIMEOUT'), reading.failure).to.equal(true);
        await server.until(({ requests }) => requests[0].outcome === 'client-left');
      });

      it(`of ${name} is never cut by a default`, async () => {
        const server = await lab([TRICKLING]);
        const { signal } = new AbortController();
        const clock = virtualTime();
        const reader = await begun(send(server.here(path), { signal }));
        expect(clock.countTimers()).to.equal(0);
        clock.tick(3_600_000);
        expect(await readOn(reader)).to.equal('whole');
      });
    }

    it('is ended by a time that stands in the factory, by the real clock', async () => {
      const server = await lab([UNENDING]);
      const reader = await begun(createSpFetch({ timeout: 1000 })(server.here(ITEMS)));
      const failure = await failureOf(readOn(reader));
      expect(isSteadError(failure, 'ETIMEOUT'), failure).to.equal(true);
    });

    it('is still bound to the signal after a repeat', async () => {
      const server = await lab([{ status: 503, headers: { 'retry-after-ms': 1 } }, UNENDING]);
      const controller = new AbortController();
      const reader = await begun(spFetch(server.here(ITEMS), { signal: controller.signal }));
      controller.abort('enough');
      expect(await failureOf(readOn(reader))).to.equal('enough');
    });

    it('is still bound to signal and time when only its text is waited for, and garbage was collected', async () => {
      const server = await lab({ steps: [UNENDING], then: 'repeat' });
      const controller = new AbortController();
      const clock = virtualTime();
      let count = 0;
      const textOf = async (send, init) => (await send(server.here(`${ITEMS}?n=${++count}`), init)).text();
      const bySignal = failureOf(textOf(spFetch, { signal: controller.signal }));
      const byTime = failureOf(textOf(spFetch, { timeout: 60_000 }));
      const plain = failureOf(textOf(fetch, { signal: controller.signal }));
      await server.until(({ requests }) => requests.length === 3);
      for (let times = 0; times < 10; times++) await collectGarbage();
      controller.abort('enough');
      await clock.tickAsync(60_000);
      expect(`${await bySignal}`).to.equal(`${await plain}`);
      // Firefox's `text()` has an AbortError of its own for every abort; reading the stream gives the reason.
      const keepsReason = (await plain) === 'enough';
      expect(keepsReason ? (await byTime).code : (await byTime).name).to.equal(keepsReason ? 'ETIMEOUT' : 'AbortError');
    });

    it('that is a clone is ended, too', async () => {
      const server = await lab([UNENDING]);
      const controller = new AbortController();
      const response = await spFetch(server.here(ITEMS), { signal: controller.signal });
      const reader = await begun(response.clone());
      controller.abort('enough');
      expect(await failureOf(readOn(reader))).to.equal('enough');
      expect(await failureOf(response.text())).to.equal('enough');
    });
  });
}

describe('several bodies with a time of their own', () => {
  it('share one timer, end each at its own time, and leave no timer', async () => {
    // A copy of its own: the timer of the usual one may still count the time of an earlier test's body.
    const { isSteadError, spFetch } = await import(`${PACKAGE}?bodies`);
    const server = await lab({ steps: [UNENDING], then: 'repeat' });
    const clock = virtualTime();
    const limits = [90_000, 30_000, 60_000];
    // Each has an address of its own: Firefox lets one read of an address wait for another.
    const calls = limits.map((timeout) => begun(spFetch(server.here(`${ITEMS}?limit=${timeout}`), { timeout })));
    const bodies = (await Promise.all(calls)).map((reader) => settled(readOn(reader)));
    expect(clock.countTimers()).to.equal(1);
    for (const [passes, ends] of [[30_000, 1], [30_000, 2], [30_000, 0]]) {
      const before = bodies.map(({ failure }) => failure);
      await clock.tickAsync(passes - 1);
      expect(bodies.map(({ failure }) => failure)).to.deep.equal(before);
      await clock.tickAsync(1);
      await bodies[ends].end;
      expect(isSteadError(bodies[ends].failure, 'ETIMEOUT')).to.equal(true);
    }
    expect(clock.countTimers()).to.equal(0);
  });
});
