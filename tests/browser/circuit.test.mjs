// A back end that keeps failing is left alone, and then asked by one call, the probe: counted at the server.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo, isSteadError, spFetch, subscribe, telemetry } from '/pkg/index.mjs';
import { pass, virtualTime } from './clocks.mjs';
import { copy } from './copies.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { afterwards } from './replace.mjs';
import { Transport } from './transport.mjs';

const CALLERS = 50;
const MINIMUM = 4; // failures, before a circuit opens
/** Open for 1.6 to 2.4 s, which those who meet it for the first time wait for. */
const CIRCUIT = { openMs: 2_000 };
const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));
const isOpen = (error) => isSteadError(error, 'ECIRCUITOPEN');

describe('a circuit', () => {
  let clock, transport, server;

  const ask = (init, send = aiFetch) =>
    settled(send(server.here(MODEL), { method: 'POST', body: '{}', maxRetries: 0, endpoint: 'one model', circuit: CIRCUIT, fetch: transport.fetch, ...init }));
  const asks = (count, init) => Array.from({ length: count }, () => ask(init));
  const moved = (ms, held = 0) => pass(clock, ms, transport, held);
  /** How many of these calls have ended so far. */
  const ended = (calls) => {
    let count = 0;
    for (const call of calls) call.then(() => count++);
    return () => count;
  };

  /** So many failures in a row, and then these answers. */
  async function opened(...then) {
    server = await lab([{ status: 500, body: 'down', times: MINIMUM }, ...then]);
    for (let n = 0; n < MINIMUM; n++) expect((await ask()).value.status).to.equal(500);
  }

  /** 49 failed fast, and say when to come again. */
  function expectRefused(results) {
    expect(results).to.have.length(CALLERS - 1);
    for (const { error } of results) {
      expect(error).to.satisfy(isOpen);
      expect(error.retryAfterMs).to.be.above(0).and.at.most(2_400);
      expect(getCallInfo(error)).to.include({ stop: 'circuit-open' });
      expect(getCallInfo(error).attempts).to.be.empty;
    }
  }

  beforeEach(() => {
    clock = virtualTime();
    transport = new Transport();
  });

  it(`has ${CALLERS} calls wait, lets exactly one of them reach the server, and the others fail fast`, async () => {
    await opened({ hold: true });
    const calls = asks(CALLERS);
    const count = ended(calls);
    await moved(1_599);
    expect(transport.sends).to.have.length(MINIMUM);
    expect(count()).to.equal(0);
    await moved(802, 1);
    await server.held(MINIMUM + 1);
    expect(await server.requests()).to.have.length(MINIMUM + 1);
    expect(count()).to.equal(CALLERS - 1);
    await server.release();
    const results = await Promise.all(calls);
    expectRefused(results.filter(({ error }) => error));
    expect(results.find(({ value }) => value).value.status).to.equal(200);
    const after = await Promise.all(asks(CALLERS));
    for (const { value } of after) expect(value.status).to.equal(200);
    expect(await server.requests()).to.have.length(MINIMUM + 1 + CALLERS);
  });

  it('lets exactly one other call through when the probe is cancelled', async () => {
    await opened({ hold: true, times: 2 });
    const controller = new AbortController();
    await moved(2_401);
    const probe = ask({ signal: controller.signal });
    await server.held(MINIMUM + 1);
    expectRefused(await Promise.all(asks(CALLERS - 1)));
    controller.abort('enough');
    expect((await probe).error).to.equal('enough');
    await server.until(({ requests }) => requests[MINIMUM].outcome === 'client-left');

    const calls = asks(CALLERS);
    const count = ended(calls);
    await server.held(MINIMUM + 2);
    await moved(0, 1);
    expect(count()).to.equal(CALLERS - 1);
    expect(await server.requests()).to.have.length(MINIMUM + 2);
    await server.release();
    const results = await Promise.all(calls);
    expectRefused(results.filter(({ error }) => error));
    expect(results.filter(({ value }) => value?.status === 200)).to.have.length(1);
  });

  it('lends the place of the probe for 10 s only', async () => {
    await opened({ hold: true, times: 2 });
    await moved(2_401);
    const first = ask();
    await moved(9_999, 1);
    expect((await ask()).error).to.satisfy(isOpen);
    await moved(2, 1);
    const second = ask();
    await server.held(MINIMUM + 2);
    expect((await ask()).error).to.satisfy(isOpen);
    await server.release();
    for (const { value } of await Promise.all([first, second])) expect(value.status).to.equal(200);
  });

  it('refuses at once whoever cannot wait, with nothing sent', async () => {
    await opened();
    const { error } = await ask({ timeout: 1_000 });
    expect(error).to.satisfy(isOpen);
    expect(error.retryAfterMs).to.be.within(1_600, 2_400);
    expect(explain(error)).to.match(/not asked again/);
    expect(transport.sends).to.have.length(MINIMUM);
  });

  it('that a failed probe has opened again makes nobody wait', async () => {
    await opened({ status: 500, body: 'down' });
    await moved(2_401);
    expect((await ask()).value.status).to.equal(500);
    expectRefused(await Promise.all(asks(CALLERS - 1)));
    expect(transport.sends).to.have.length(MINIMUM + 1);
  });

  it('is not changed by a call that began before it opened', async () => {
    server = await lab([{ hold: true }, { status: 500, body: 'down', times: MINIMUM }]);
    const early = ask();
    await server.held();
    for (let n = 0; n < MINIMUM; n++) await ask();
    await server.release();
    expect((await early).value.status).to.equal(200);
    expect((await ask({ timeout: 1_000 })).error).to.satisfy(isOpen);
  });

  it('counts no 4xx, no abort and no 429', async () => {
    server = await lab([{ status: 400, times: MINIMUM }, { status: 429, times: MINIMUM }, { hold: true, times: MINIMUM }]);
    for (let n = 0; n < 2 * MINIMUM; n++) await ask();
    for (let n = 0; n < MINIMUM; n++) {
      const controller = new AbortController();
      const call = ask({ signal: controller.signal });
      await server.held(2 * MINIMUM + n + 1);
      controller.abort();
      await call;
    }
    expect((await ask()).value.status).to.equal(200);
    for (const { state } of telemetry().circuits) expect(state).to.equal('closed');
  });

  it('is one for all copies on the page, and for this back end alone', async () => {
    await opened();
    const other = await copy();
    const { error } = await ask({ timeout: 1_000 }, other.aiFetch);
    expect(error).to.satisfy(isOpen);
    expect((await ask({ circuit: { ...CIRCUIT, key: 'mine' } })).value.status).to.equal(200);
    expect((await ask({ circuit: false })).value.status).to.equal(200);
    expect((await ask({ endpoint: 'another model' })).value.status).to.equal(200);
    expect((await settled(spFetch(server.here(ITEMS), { fetch: transport.fetch }))).value.status).to.equal(200);
  });

  it('tells of its states by events and in telemetry()', async () => {
    const events = [];
    afterwards(subscribe((event) => event.type === 'circuit' && events.push(event)));
    const key = 'mine', circuit = { ...CIRCUIT, key };
    server = await lab([{ status: 500, body: 'down', times: MINIMUM }, { hold: true }]);
    const state = () => telemetry().circuits.find((circuit) => circuit.key === key);
    for (let n = 0; n < MINIMUM; n++) await ask({ circuit });
    expect(state()).to.include({ state: 'open' });
    expect(state().reopensInMs).to.be.within(1_600, 2_400);
    await moved(2_401);
    const probe = ask({ circuit });
    await server.held(MINIMUM + 1);
    expect(state()).to.include({ state: 'half-open' });
    await server.release();
    await probe;
    expect(state()?.state ?? 'closed').to.equal('closed');
    expect(events).to.deep.equal([
      { type: 'circuit', key, from: 'closed', to: 'open' },
      { type: 'circuit', key, from: 'open', to: 'half-open' },
      { type: 'circuit', key, from: 'half-open', to: 'closed' },
    ]);
  });
});
