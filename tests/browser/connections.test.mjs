// Connections that break, and answers that come late, in pieces, or never.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, isSteadError, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { replace } from './replace.mjs';

const SOON = { backoff: { baseMs: 1 } };
const ASK = { circuit: false, method: 'POST', body: '{}', ...SOON };
const WRITE = { method: 'POST', body: '{"Title":"once"}', ...SOON };
/** By the stream, since `text()` of Firefox calls every end an AbortError. */
const drain = (response) => response.body.pipeTo(new WritableStream());
const failure = (call) => call.then(() => expect.fail('succeeded'), (error) => error);

describe('a connection that breaks before the headers', () => {
  const BROKEN = { drop: 'rst-mid-headers' };

  it('is a failure that aiFetch repeats, twice at most', async () => {
    const server = await lab([{ ...BROKEN, times: 2 }, {}, { ...BROKEN, times: 3 }]);
    const response = await aiFetch(server.here(MODEL), ASK);
    expect(getCallInfo(response).attempts.map(({ error }) => error)).to.deep.equal(['TypeError', 'TypeError', null]);
    expect(getCallInfo(await failure(aiFetch(server.here(MODEL), ASK)))).to.include({ stop: 'no-retries-left' });
    expect(await server.requests()).to.have.length(6);
  });

  it('is a failure that a read by spFetch repeats once', async () => {
    const server = await lab([BROKEN, {}, { ...BROKEN, times: 2 }]);
    expect((await spFetch(server.here(ITEMS), SOON)).status).to.equal(200);
    expect(getCallInfo(await failure(spFetch(server.here(ITEMS), SOON)))).to.include({ stop: 'network' });
    expect(await server.requests()).to.have.length(4);
  });

  it('ends a call with the very error that fetch gave last', async () => {
    const server = await lab({ steps: [BROKEN], then: 'repeat' });
    const errors = [];
    const { fetch } = globalThis;
    replace(globalThis, 'fetch', (...args) => fetch(...args).catch((error) => {
      errors.push(error);
      throw error;
    }));
    const error = await failure(spFetch(server.here(ITEMS), SOON));
    expect(errors).to.have.length(2);
    expect(error).to.equal(errors[1]);
  });

  it('after the write was applied leaves one item', async () => {
    const server = await lab([{ ...BROKEN, apply: true }]);
    expect(getCallInfo(await failure(spFetch(server.here(ITEMS), WRITE)))).to.include({ stop: 'unsafe-method' });
    const { seen, lists } = await server.account();
    expect([seen, lists.Orders.count]).to.deep.equal([1, 1]);
  });
});

describe('a connection that breaks after the headers', () => {
  it('is for each browser what it is for its fetch: an answer without a body, or a failure', async () => {
    const steps = [{ drop: 'rst-after-headers' }];
    const plain = await lab(steps);
    const answers = await fetch(plain.here(ITEMS)).then(() => true, () => false); // true in Chromium, false in Firefox
    const server = await lab(steps);
    const response = await spFetch(server.here(ITEMS), SOON);
    expect(response.status).to.equal(200);
    expect(getCallInfo(response).attempts).to.have.length(answers ? 1 : 2);
    expect(await server.requests()).to.have.length(answers ? 1 : 2);
    if (answers) expect(await failure(drain(response))).to.be.instanceOf(TypeError);
  });

  for (const [name, send, path, init] of [['a read', spFetch, ITEMS, SOON], ['a write', spFetch, ITEMS, WRITE], ['a model', aiFetch, MODEL, ASK]]) {
    it(`in the middle of the body of ${name} fails the reading, and nothing is repeated`, async () => {
      const server = await lab([{ drop: 'rst-mid-body' }]);
      const response = await send(server.here(path), init);
      expect(getCallInfo(response)).to.include({ stop: 'success' });
      expect(await failure(drain(response))).to.be.instanceOf(TypeError);
      expect(await server.requests()).to.have.length(1);
    });
  }
});

describe('a body that trickles', () => {
  for (const [name, send, path, init] of [['spFetch', spFetch, ITEMS, SOON], ['aiFetch', aiFetch, MODEL, ASK]]) {
    it(`reaches the caller of ${name} piece by piece, while it is under way`, async () => {
      const pieces = ['data: one\n\n', 'data: zwölf', '\n\n', 'data: three\n\n'];
      const server = await lab([{ chunks: pieces, chunkEveryMs: 80 }]);
      const response = await send(server.here(path), init);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader.read();
      expect(first.value).to.equal(pieces[0]);
      expect((await server.requests())[0].outcome).to.equal('running');
      let text = first.value;
      for (let next; !(next = await reader.read()).done; ) text += next.value;
      expect(text).to.equal(pieces.join(''));
      expect((await server.requests())[0].outcome).to.equal('answered');
    });
  }
});

describe('an answer that never comes', () => {
  const SILENT = { stall: 'before-headers' };

  it('is a network failure of a read by spFetch after attemptMs: repeated once', async () => {
    const server = await lab([SILENT, {}, { ...SILENT, times: 2 }]);
    const init = { ...SOON, timeout: { attemptMs: 300 } };
    const response = await spFetch(server.here(ITEMS), init);
    expect(response.status).to.equal(200);
    expect(getCallInfo(response).attempts[0]).to.include({ allowedMs: 300, status: null, decision: 'retry' });
    const error = await failure(spFetch(server.here(ITEMS), init));
    expect(isSteadError(error, 'ETIMEOUT'), error).to.equal(true);
    const { requests } = await server.until(({ inFlight }) => inFlight === 0);
    expect(requests.map(({ outcome }) => outcome)).to.deep.equal(['client-left', 'answered', 'client-left', 'client-left']);
  });

  for (const [name, send, path, init] of [['a write by spFetch', spFetch, ITEMS, WRITE], ['aiFetch', aiFetch, MODEL, ASK]]) {
    it(`is final for ${name} after attemptMs, with ETIMEOUT`, async () => {
      const server = await lab([SILENT]);
      const error = await failure(send(server.here(path), { ...init, timeout: { attemptMs: 300 } }));
      expect(isSteadError(error, 'ETIMEOUT'), error).to.equal(true);
      const { requests } = await server.until(({ inFlight }) => inFlight === 0);
      expect(requests).to.have.length(1);
    });
  }

  it('ends a call after totalMs, and its error names the last answer', async () => {
    const server = await lab([{ status: 503, headers: { 'retry-after-ms': 1 } }, SILENT]);
    const error = await failure(spFetch(server.here(ITEMS), { timeout: 1500 }));
    expect(error).to.include({ code: 'ETIMEOUT', name: 'TimeoutError', status: 503, retryAfterMs: 1 });
    expect(getCallInfo(error)).to.include({ stop: 'timeout' }).and.have.property('attempts').with.length(2);
    await server.until(({ inFlight }) => inFlight === 0);
  });
});
