// A page that knows that it has no network keeps a repeat back, for a while, and never a first send.

import { expect } from '/node_modules/chai/index.js';
import { getCallInfo, spFetch } from '/pkg/index.mjs';
import { pass, virtualTime } from './clocks.mjs';
import { ITEMS, lab } from './lab.mjs';
import { replace } from './replace.mjs';
import { Transport } from './transport.mjs';

const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));

describe('without network', () => {
  let clock, transport, failure;
  /** So long takes a failure that says something about the network. */
  const SLOW = 60;

  const moved = (ms, held = 0) => pass(clock, ms, transport, held);
  const comesOnline = () => {
    replace(navigator, 'onLine', true);
    dispatchEvent(new Event('online'));
  };

  /** Fails so often, each time after `ms`, then answers. */
  function failing(times, ms = SLOW) {
    let left = times;
    transport = new Transport(() =>
      left-- > 0 ? new Promise((_, reject) => setTimeout(reject, ms, failure)) : Promise.resolve(new Response('ok')),
    );
    return (init) => settled(spFetch('/api/x', { fetch: transport.fetch, backoff: { baseMs: 1 }, ...init }));
  }

  beforeEach(() => {
    clock = virtualTime();
    failure = new TypeError('down');
    replace(navigator, 'onLine', false);
  });

  it('a first send goes out', async () => {
    transport = new Transport();
    const server = await lab();
    const { value } = await settled(spFetch(server.here(ITEMS), { fetch: transport.fetch }));
    expect(value.status).to.equal(200);
    expect(getCallInfo(value).waitedMs).to.equal(0);
  });

  it('a repeat is held back for 10 s, then the original error comes', async () => {
    const call = failing(1)();
    let result;
    call.then((end) => (result = end));
    await moved(9_999, 1);
    expect(result).to.equal(undefined);
    await moved(SLOW + 500, 1);
    expect(result.error).to.equal(failure);
    expect(transport.sends).to.have.length(1);
    const { stop, waitedMs } = getCallInfo(failure);
    expect(stop).to.equal('network');
    expect(waitedMs).to.be.at.most(10_300);
  });

  it('a repeat after an answer is held back for 10 s, too; then it is sent, since that answer has been given up', async () => {
    const server = await lab([{ status: 503, headers: { 'retry-after-ms': 5 } }]);
    transport = new Transport();
    const call = settled(spFetch(server.here(ITEMS), { fetch: transport.fetch, coolDown: false }));
    await moved(9_999);
    expect(transport.sends).to.have.length(1);
    await moved(1_000);
    expect((await call).value.status).to.equal(200);
  });

  it('a repeat is sent soon after the page has come online', async () => {
    const call = failing(1)();
    await moved(4_000, 1);
    expect(transport.sends).to.have.length(1);
    comesOnline();
    await moved(300, 1);
    expect(transport.sends).to.have.length(2);
    expect((await call).value.status).to.equal(200);
  });

  it('an abort ends it at once', async () => {
    const controller = new AbortController();
    const call = failing(1)({ signal: controller.signal });
    await moved(4_000, 1);
    controller.abort('enough');
    expect((await call).error).to.equal('enough');
  });
});

describe('a network that failed twice', () => {
  let clock, transport, failure;
  const moved = (ms) => pass(clock, ms, transport, 1);

  /** Both failures take so long; the page comes online during the wait after the n-th. */
  async function failedTwice(ms, onlineAfter) {
    let sent = 0;
    clock = virtualTime();
    failure = new TypeError('down');
    transport = new Transport(() =>
      ++sent <= 2 ? new Promise((_, reject) => setTimeout(reject, ms, failure)) : Promise.resolve(new Response('ok')),
    );
    const onRetry = ({ attempt }) => attempt === onlineAfter && dispatchEvent(new Event('online'));
    const call = settled(spFetch('/api/x', { fetch: transport.fetch, onRetry, backoff: { baseMs: 1 } }));
    await moved(10_000);
    return { ...(await call), sent };
  }

  it('is not asked a third time', async () => {
    const { error, sent } = await failedTwice(60);
    expect(error).to.equal(failure);
    expect(sent).to.equal(2);
  });

  it('is asked once more if the page came online in between', async () => {
    const { value, sent } = await failedTwice(60, 1);
    expect(value.status).to.equal(200);
    expect(sent).to.equal(3);
  });

  it('within 50 ms each is not asked again, even then', async () => {
    const { error, sent } = await failedTwice(49, 1);
    expect(error).to.equal(failure);
    expect(sent).to.equal(2);
  });
});
