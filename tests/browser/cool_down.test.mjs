// Once the server has asked one call to wait, everybody waits: every copy of the package on the page, and with
// `coolDown: 'tabs'` the user's other tabs. SharePoint counts every throttled call against its caller.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo, isSteadError, resetPageState, spFetch, subscribe, telemetry } from '/pkg/index.mjs';
import { pass, virtualTime } from './clocks.mjs';
import { copy } from './copies.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { laterCopy } from './later_copy.mjs';
import { until } from './next_task.mjs';
import { afterwards } from './replace.mjs';
import { tab } from './tab.mjs';
import { Transport } from './transport.mjs';

const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));

/** Answers `status` with this many milliseconds to wait. */
const asking = (ms, status = 429) => ({ status, headers: { 'retry-after-ms': ms } });

describe('two copies and a second tab', () => {
  const HINT_S = 2;
  const IN_FLIGHT = 4;
  const LATER = 36;
  /** A browser's cache would have each of them wait for the one before. */
  const ALL_AT_ONCE = { coolDown: 'tabs', cache: 'no-store' };
  /** The log says when an answer was handed over, which may be a moment after it was taken. */
  const HANDING_OVER_MS = 5;
  /** How finely the coarsest of the page's clocks counts. */
  const CLOCK_MS = 2;

  const ORDERS = { '1.0, then 1.1': [copy, laterCopy], '1.1, then 1.0': [laterCopy, copy] };
  for (const [order, [first, second]] of Object.entries(ORDERS)) {
    it(`(${order}) wait for what one was told, then follow one by one, 2, 4, 8`, async () => {
      const copies = [await first(), await second()];
      const other = await tab();
      const elsewhere = await copy(other);
      const here = new Transport(), there = new Transport(other.fetch.bind(other));
      const waits = [];
      const call = ({ spFetch }, transport) =>
        spFetch(server.here(ITEMS), { ...ALL_AT_ONCE, fetch: transport.fetch, onRetry: (event) => waits.push(event) });
      const throttled = { status: 429, headers: { 'Retry-After': HINT_S }, hold: true };
      const server = await lab([throttled, { hold: true, times: IN_FLIGHT - 1 }]);

      // A read of the same origin that has no time to wait, and that the server's log leaves out.
      const mayPass = () => settled(elsewhere.spFetch('/tests/browser/realm.html', { coolDown: 'tabs', timeout: 1_100 }));
      expect((await mayPass()).value.status).to.equal(200); // from here on the tab listens
      const calls = Array.from({ length: IN_FLIGHT }, (_, n) => call(copies[n % 2], here));
      await server.until(({ requests }) => requests.length === IN_FLIGHT && requests.every(({ outcome }) => outcome === 'held'));
      await server.release();
      await until(() => here.underWay === 0);
      for (const { telemetry } of copies) expect(telemetry().coolDowns).to.have.length(1);
      await until(async () => isSteadError((await mayPass()).error, 'ECOOLINGDOWN'));
      for (let n = 0; n < LATER; n++) calls.push(n % 3 ? call(copies[n % 2], here) : call(elsewhere, there));

      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses).to.deep.equal(new Array(IN_FLIGHT + LATER).fill(200));
      const requests = await server.requests();
      expect(requests).to.have.length(IN_FLIGHT + LATER + 1);
      expect(requests.filter(({ status }) => status === 429)).to.have.length(1);
      const timeIsUp = requests[0].endedMs + HINT_S * 1000 - HANDING_OVER_MS;
      for (const { atMs } of requests.slice(IN_FLIGHT)) expect(atMs).to.be.at.least(timeIsUp);
      expectRamp(here.sends.slice(IN_FLIGHT));
      expectRamp(there.sends);
      expect(waits.filter(({ attempt, reason }) => attempt === 0 && reason === 'cooling-down')).to.have.length(LATER);
      const { entries, lost } = copies.find(({ additions }) => additions).additions();
      expect(entries).to.be.above(0);
      expect(lost).to.deep.equal([]);
    });
  }

  /** The sends of one tab once the time is up: one, and from its answer on 2, 4, 8 … in each 100 ms. */
  function expectRamp([scout, ...others]) {
    expect(others).not.to.be.empty;
    for (const [n, { at }] of others.entries()) {
      expect(at).to.be.at.least(scout.endedAt);
      const step = Math.floor((at - scout.endedAt + CLOCK_MS) / 100);
      expect(n + 1, `sends within ${at - scout.endedAt} ms`).to.be.at.most(2 ** (step + 2) - 2);
    }
  }
});

describe('a closed gate', () => {
  let clock, transport, server;

  /** A call through the transport that is counted. */
  const call = (send, path, init) => settled(send(server.here(path), { fetch: transport.fetch, ...init }));
  const read = (init) => call(spFetch, ITEMS, init);
  const write = (init) => call(spFetch, ITEMS, { method: 'POST', body: '{}', ...init });
  const ask = (init) => call(aiFetch, MODEL, { method: 'POST', body: '{}', endpoint: 'one model', ...init });
  const moved = (ms) => pass(clock, ms, transport);

  /** Has the server ask a first call to wait, and be given up by it. */
  async function closedFor(ms, first = read, then = []) {
    server = await lab([asking(ms), ...then]);
    await first({ maxRetries: 0 });
  }

  beforeEach(() => {
    clock = virtualTime();
    transport = new Transport();
  });

  it('lets one call through when the time is up, and is closed again if that one is throttled', async () => {
    await closedFor(5_000, read, [asking(7_000)]);
    const calls = Array.from({ length: 10 }, () => read());
    await moved(4_999);
    expect(transport.sends).to.have.length(1);
    await moved(2);
    expect(transport.sends).to.have.length(2);
    await moved(6_990);
    expect(transport.sends).to.have.length(2);
    await moved(5_000);
    for (const { value } of await Promise.all(calls)) expect(value.status).to.equal(200);
    expect(transport.sends.filter(({ status }) => status === 429)).to.have.length(2);
  });

  it('is announced: onRetry before the wait, an event, and in telemetry()', async () => {
    const events = [], waits = [];
    afterwards(subscribe((event) => event.type === 'cool-down' && events.push(event)));
    await closedFor(5_000);
    const reading = read({ onRetry: (event) => waits.push(event) });
    await moved(0);
    const [{ host, untilMs }] = telemetry().coolDowns;
    expect(untilMs).to.equal(Date.now() + 5_000);
    expect(events).to.deep.equal([{ type: 'cool-down', host, untilMs }]);
    expect(waits).to.have.length(1);
    const { attempt, reason, delayMs, status, error, response } = waits[0];
    expect({ attempt, reason, delayMs, status, error, response }).to.deep.equal({
      attempt: 0, reason: 'cooling-down', delayMs: 5_000, status: null, error: null, response: null,
    });
    await moved(6_000);
    const { value } = await reading;
    expect(getCallInfo(value)).to.include({ stop: 'success', waitedMs: 5_000 });
    expect(telemetry().coolDowns).to.deep.equal([]);
  });

  it('holds a write back, too, whose one send then succeeds', async () => {
    await closedFor(29_000);
    const writing = write();
    await moved(28_999);
    expect(transport.sends).to.have.length(1);
    await moved(2);
    expect((await writing).value.status).to.equal(201);
    expect(transport.sends).to.have.length(2);
  });

  const REFUSED = {
    'a write that would wait longer than 30 s': [write, {}],
    'a write that would wait longer than its time allows': [write, { timeout: 20_000 }],
    'a read that would wait longer than its time allows': [read, { timeout: 20_000 }],
  };
  for (const [name, [send, init]] of Object.entries(REFUSED)) {
    it(`refuses ${name} at once, with nothing sent`, async () => {
      await closedFor(31_000);
      const { error } = await send(init);
      expect(error).to.satisfy((error) => isSteadError(error, 'ECOOLINGDOWN'));
      expect(error.retryAfterMs).to.equal(31_000);
      expect(getCallInfo(error)).to.include({ stop: 'cooling-down' });
      expect(getCallInfo(error).attempts).to.be.empty;
      expect(explain(error)).to.match(/31 seconds/);
      expect(transport.sends).to.have.length(1);
    });
  }

  it('is closed for 120 s at most, whatever the server asks for', async () => {
    await closedFor(600_000);
    const reading = read({ timeout: Infinity });
    await moved(119_999);
    expect(transport.sends).to.have.length(1);
    await moved(2);
    expect((await reading).value.status).to.equal(200);
  });

  it('is nobody\'s business with coolDown: false', async () => {
    await closedFor(60_000);
    expect((await read({ coolDown: false })).value.status).to.equal(200);
    resetPageState();
    await closedFor(60_000, (init) => read({ ...init, coolDown: false }));
    expect((await read()).value.status).to.equal(200);
  });

  it('of one model leaves another alone, and the lists', async () => {
    await closedFor(5_000, ask);
    expect((await ask({ endpoint: 'another model' })).value.status).to.equal(200);
    expect((await read()).value.status).to.equal(200);
    const answer = ask();
    await moved(4_999);
    expect(transport.sends).to.have.length(3);
    await moved(2);
    expect((await answer).value.status).to.equal(200);
  });

  it('lets go of who aborts, and sends nothing for it; the others wait on', async () => {
    await closedFor(5_000);
    const controller = new AbortController();
    const reading = read();
    const aborted = read({ signal: controller.signal });
    await moved(1_000);
    controller.abort('enough');
    expect((await aborted).error).to.equal('enough');
    await moved(6_000);
    expect((await reading).value.status).to.equal(200);
    expect(transport.sends).to.have.length(2);
  });

  it('is forgotten by resetPageState()', async () => {
    await closedFor(60_000);
    resetPageState();
    expect(telemetry().coolDowns).to.deep.equal([]);
    expect((await read()).value.status).to.equal(200);
  });
});
