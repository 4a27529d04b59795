// Whatever a page hands in, a call settles with the right error, and the engine lives on. More of it, on a virtual clock,
// stands in tests/node/hostile.test.mjs; this is about what only a page has, and about the server's side of it.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, engine, explain, getCallInfo, isSteadError, readRateLimit, readRetryAfter, spFetch } from '/pkg/index.mjs';
import { stopClocks } from './clocks.mjs';
import { ENGINE } from './engine_here.mjs';
import { frame } from './frame.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { replace } from './replace.mjs';

const BROKEN = new Error('broken');
const throwing = () => {
  throw BROKEN;
};
const settled = (call) => call.then((value) => ({ value }), (error) => ({ error }));
const isOptionError = (error) => isSteadError(error, 'EOPTION');

describe('hostile input', () => {
  afterEach(() => expect(engine()).to.equal(ENGINE));

  const REFUSED = {
    'signal: {}': { signal: {} },
    'a signal whose getter throws': { signal: Object.defineProperty({}, 'aborted', { get: throwing }) },
    'a getter that throws': Object.defineProperty({}, 'method', { get: throwing, enumerable: true }),
    'maxRetries: NaN': { maxRetries: NaN },
    'timeout: -1': { timeout: -1 },
  };
  for (const [name, init] of Object.entries(REFUSED)) {
    it(`is refused before anything is sent: ${name}`, async () => {
      const server = await lab();
      for (const [send, path] of [[spFetch, ITEMS], [aiFetch, MODEL]]) {
        const { error } = await settled(send(server.here(path), init));
        expect(error).to.satisfy(isOptionError);
        expect(error.message).to.match(/^`(signal|method|maxRetries|timeout)` /);
      }
      expect(await server.requests()).to.be.empty;
    });
  }

  it('is refused before anything is sent: a window of another origin, wherever it stands', async () => {
    const strange = await strangeWindow();
    const fetch = () => expect.fail('sent');
    const places = { signal: strange, headers: [strange], method: strange, timeout: strange, backoff: strange };
    for (const [place, value] of Object.entries(places)) {
      expect((await settled(spFetch('/api/x', { fetch, [place]: value }))).error, place).to.satisfy(isOptionError);
    }
    expect((await settled(spFetch('/api/x', strange))).error).to.satisfy(isOptionError);
    expect((await settled(spFetch(strange, { fetch }))).error).to.satisfy(isOptionError);
    expect(getCallInfo(strange)).to.equal(undefined);
    expect(explain(strange)).to.equal('The request failed.');
    expect(isSteadError(strange)).to.equal(false);
    expect(readRetryAfter(strange)).to.equal(null);
    expect(readRateLimit({ headers: strange })).to.equal(null);
  });

  const TRANSPORTS = {
    'returns undefined': [() => undefined, isOptionError],
    'resolves with null': [async () => null, isOptionError],
    'rejects with a string': [() => Promise.reject('no'), (error) => error === 'no'],
    'rejects with nothing': [() => Promise.reject(), (error) => error === undefined],
    'throws': [throwing, (error) => error === BROKEN],
    'returns a thenable that throws': [() => ({ then: throwing }), (error) => error === BROKEN],
  };
  for (const [name, [transport, expected]] of Object.entries(TRANSPORTS)) {
    it(`is heard from a fetch, the page's or the caller's, that ${name}`, async () => {
      const { error } = await settled(spFetch('/api/x', { maxRetries: 0, fetch: transport }));
      expect(error).to.satisfy(expected);
      replace(globalThis, 'fetch', transport);
      expect((await settled(aiFetch('/api/x', { maxRetries: 0 }))).error).to.satisfy(expected);
    });
  }

  it('is passed on as it came: an answer of which every header throws', async () => {
    const answer = { status: 503, headers: { get: throwing } };
    const response = await spFetch('/api/x', { fetch: async () => answer, maxRetries: 0 });
    expect(response).to.equal(answer);
    const { attempts, rateLimit, correlationId, retryAfterMs } = getCallInfo(response);
    expect({ rateLimit, correlationId, retryAfterMs }).to.deep.equal({ rateLimit: null, correlationId: null, retryAfterMs: null });
    expect(attempts[0].status).to.equal(503);
  });

  it('is believed, but not waited for: Retry-After: 999999999999999999999', async () => {
    const headers = { 'Retry-After': '999999999999999999999' };
    const server = await lab({ steps: [{ status: 429, headers }], then: 'repeat' });
    for (const [send, path] of [[spFetch, ITEMS], [aiFetch, MODEL]]) {
      for (const timeout of [undefined, Infinity]) {
        const response = await send(server.here(path), { timeout, coolDown: false });
        expect(response.status).to.equal(429);
        expect(getCallInfo(response).stop).to.equal('wait-exceeds-time-left');
        expect(getCallInfo(response).retryAfterMs).to.be.above(1e12);
      }
    }
    expect(await server.requests()).to.have.length(4);
  });

  it('is outlived: a page whose clocks stand still', async () => {
    const server = await lab([{ status: 503, headers: { 'retry-after-ms': 20 }, times: 2 }]);
    stopClocks();
    expect((await spFetch(server.here(ITEMS))).status).to.equal(200);
  });
});

/** A window of another origin: a page may hold it, but almost everything it does with it throws. */
async function strangeWindow() {
  return frame((await lab()).elsewhere('/_forms/default.aspx'));
}
