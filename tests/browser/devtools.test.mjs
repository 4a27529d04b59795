// What only the DevTools protocol can do to a page: freeze it, as a browser does with a tab long hidden, and cut its
// network. The browsers that do not run this are named in run.mjs; the same rules are shown there on moved clocks.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, isSteadError, spFetch } from '/pkg/index.mjs';
import { driver } from './driver.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { Transport } from './transport.mjs';

const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));
const SOON = { backoff: { baseMs: 1 } };
/** Short for every clock, so that nothing but being frozen itself tells. */
const FROZEN_MS = 1_000;
const ASK = { method: 'POST', body: '{}', ...SOON };

describe('a page that is frozen', () => {
  it('does not buy again what failed meanwhile', async () => {
    for (const step of [{ status: 502, body: 'down' }, { drop: 'rst-mid-headers' }]) {
      const server = await lab([{ ...step, delayMs: FROZEN_MS / 2 }]);
      const call = settled(aiFetch(server.here(MODEL), ASK));
      await server.until(({ requests }) => requests.length === 1);
      await driver('freeze', { ms: FROZEN_MS });
      const { value, error } = await call;
      expect(await server.requests()).to.have.length(1);
      const { stop, attempts } = getCallInfo(value || error);
      expect(stop).to.equal('slow-failure');
      expect(attempts[0].suspended).to.equal(true);
    }
  });

  it('repeats a read that failed meanwhile once', async () => {
    const server = await lab([{ drop: 'rst-mid-headers', delayMs: FROZEN_MS / 2 }]);
    const call = spFetch(server.here(ITEMS), SOON);
    await server.until(({ requests }) => requests.length === 1);
    await driver('freeze', { ms: FROZEN_MS });
    const response = await call;
    expect(response.status).to.equal(200);
    expect(await server.requests()).to.have.length(2);
    expect(getCallInfo(response).attempts.map(({ suspended }) => suspended)).to.deep.equal([true, false]);
  });

  it('is past the deadline of an AI call when it wakes up', async () => {
    const server = await lab([{ hold: true }]);
    const call = settled(aiFetch(server.here(MODEL), { ...ASK, timeout: FROZEN_MS / 2 }));
    await server.held();
    await driver('freeze', { ms: FROZEN_MS });
    expect((await call).error).to.satisfy((error) => isSteadError(error, 'ETIMEOUT'));
    await server.until(({ requests }) => requests[0].outcome === 'client-left');
  });
});

describe('a page without network', () => {
  it('sends a read once, and again as soon as it is online', async () => {
    const server = await lab();
    const transport = new Transport();
    let waits;
    const waiting = new Promise((resolve) => (waits = resolve));
    await driver('offline');
    const call = settled(spFetch(server.here(ITEMS), { ...SOON, fetch: transport.fetch, onRetry: waits }));
    await waiting;
    expect(transport.sends).to.have.length(1);
    await driver('online');
    expect((await call).value.status).to.equal(200);
    expect(transport.sends).to.have.length(2);
  });
});
