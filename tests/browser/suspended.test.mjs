// A laptop that is shut, a tab that is frozen: time passes of which the page's code notices nothing. What failed across
// such a gap was paid for as far as aiFetch knows, and is no fault of the network for spFetch. Here the clocks are moved;
// a page that is really frozen stands in devtools.test.mjs.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, isSteadError, spFetch, telemetry } from '/pkg/index.mjs';
import { pass, stopClocks, virtualTime } from './clocks.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { until } from './next_task.mjs';
import { Transport } from './transport.mjs';

const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));
const isTimeout = (error) => isSteadError(error, 'ETIMEOUT');
const GAP_MS = 60_000;

/** Clocks and timers in the test's hand; the network goes at its own pace. */
function inHand(move) {
  const clock = virtualTime();
  return { happens: () => move(clock), ticks: () => clock.tick(1) };
}

/** What may happen to a page while a request is under way. */
const GAPS = {
  'asleep, and only the wall clock went on': () => {
    const clocks = stopClocks();
    return { happens: () => clocks.sleep(GAP_MS) };
  },
  'asleep, both clocks went on, and the answer is there before the heartbeat': () => {
    const clocks = stopClocks();
    return { happens: () => clocks.pass(GAP_MS) };
  },
  'asleep, both clocks went on, and the heartbeat is there before the answer': () => inHand((clock) => clock.jump(GAP_MS)),
  'frozen for a moment': () => ({ happens: () => document.dispatchEvent(new Event('freeze')) }),
  'put away for a moment': () => ({ happens: () => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })) }),
};
const AWAKE = () => inHand((clock) => clock.tick(GAP_MS));

describe('an attempt that was suspended', () => {
  /** A call whose first answer comes after the gap; how it ended, and what arrived at the server. */
  async function across({ happens, ticks = () => {} }, send, path, init, first, ...then) {
    const server = await lab([{ ...first, hold: true }, ...then]);
    let end;
    settled(send(server.here(path), { backoff: { baseMs: 1 }, ...init })).then((result) => (end = result));
    await server.held();
    happens();
    await server.release();
    await until(() => {
      ticks();
      return end;
    });
    const { requests } = await server.account();
    return { ...end, info: getCallInfo(end.value || end.error), sent: requests.length };
  }

  /** A gap of a minute is not slow by its length. */
  const ASK = { method: 'POST', body: '{}', slowAfterMs: 200_000 };
  const ask = (gap, ...steps) => across(gap, aiFetch, MODEL, ASK, ...steps);
  const read = (gap, ...steps) => across(gap, spFetch, ITEMS, {}, ...steps);
  const DOWN = { status: 502, body: 'down' };
  const RESET = { drop: 'rst-mid-headers' };

  for (const [name, begin] of Object.entries(GAPS)) {
    it(`of aiFetch is not bought again: ${name}`, async () => {
      const gap = begin();
      for (const step of [DOWN, RESET]) {
        const { sent, info } = await ask(gap, step);
        expect(sent).to.equal(1);
        expect(info.stop).to.equal('slow-failure');
        expect(info.attempts[0].suspended).to.equal(true);
      }
    });

    it(`of spFetch, a read, is repeated once: ${name}`, async () => {
      const gap = begin();
      const { value, sent, info } = await read(gap, RESET);
      expect(value.status).to.equal(200);
      expect(sent).to.equal(2);
      expect(info.attempts.map(({ suspended }) => suspended)).to.deep.equal([true, false]);
      expect((await read(gap, RESET, RESET)).sent).to.equal(2);
    });

    it(`says nothing about the back end: ${name}`, async () => {
      const gap = begin();
      for (let n = 0; n < 5; n++) await ask(gap, DOWN);
      for (const { state, calls } of telemetry().circuits) expect({ state, calls }).to.deep.equal({ state: 'closed', calls: 0 });
    });
  }

  it('is told from one that took as long while the page was awake', async () => {
    const { value, sent, info } = await ask(AWAKE(), DOWN);
    expect(value.status).to.equal(200);
    expect(sent).to.equal(2);
    expect(info.attempts.map(({ suspended }) => suspended)).to.deep.equal([false, false]);
  });
});

describe('a deadline', () => {
  const TIMEOUT = 20_000;
  const HEARTBEAT = 5_000;
  /** How a gap of a minute looks to the page's clocks. */
  const CLOCKS = {
    'both clocks go on': (clock) => clock.jump(GAP_MS),
    'only the wall clock goes on': (clock) => clock.setSystemTime(Date.now() + GAP_MS),
  };
  let clock, transport;
  beforeEach(() => {
    clock = virtualTime();
    transport = new Transport();
  });

  const call = (send, server, path, init) => {
    const state = { end: undefined };
    settled(send(server.here(path), { timeout: TIMEOUT, fetch: transport.fetch, ...init })).then((end) => (state.end = end));
    return state;
  };
  const ask = (server) => call(aiFetch, server, MODEL, { method: 'POST', body: '{}' });
  const write = (server) => call(spFetch, server, ITEMS, { method: 'POST', body: '{}' });

  for (const [name, happen] of Object.entries(CLOCKS)) {
    for (const [kind, begin] of Object.entries({ 'an AI call': ask, 'a write': write })) {
      it(`of ${kind} passes while the machine sleeps: ${name}`, async () => {
        const server = await lab([{ hold: true }]);
        const state = begin(server);
        await server.held();
        happen(clock);
        await pass(clock, HEARTBEAT, transport, 1);
        expect(state.end?.error).to.satisfy(isTimeout);
        await server.until(({ requests }) => requests[0].outcome === 'client-left');
      });
    }

    it(`of an AI call passes during a wait, and nothing is sent afterwards: ${name}`, async () => {
      const server = await lab([{ status: 502, headers: { 'retry-after-ms': 3_000 } }]);
      const state = ask(server);
      await pass(clock, 0, transport);
      expect(state.end).to.equal(undefined);
      happen(clock);
      await pass(clock, HEARTBEAT, transport);
      expect(state.end?.error).to.satisfy(isTimeout);
      expect(state.end.error.status).to.equal(502);
      expect(transport.sends).to.have.length(1);
    });
  }
});
