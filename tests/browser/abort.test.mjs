// An abort ends a call at every moment, at once and with the caller's own reason, and nothing is sent afterwards.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { nextTask } from './next_task.mjs';

/** Aborts, and says how the call ended; null if it had not ended when the page's next task began. */
async function abortNow(call, controller, reason) {
  let end = null;
  call.then((value) => (end = { value }), (error) => (end = { error }));
  const task = nextTask();
  controller.abort(reason);
  await task;
  return end;
}

const KINDS = { spFetch: [spFetch, ITEMS, {}], aiFetch: [aiFetch, MODEL, { method: 'POST', body: '{}' }] };

for (const [name, [send, path, init]] of Object.entries(KINDS)) {
  describe(`an abort of ${name}`, () => {
    let reason; // a new one for each call: the account of a call is found by it
    beforeEach(() => (reason = { mine: true }));

    it('before the call sends nothing', async () => {
      const server = await lab();
      const signal = AbortSignal.abort(reason);
      const error = await send(server.here(path), { ...init, signal }).catch((error) => error);
      expect(error).to.equal(reason);
      expect(await server.requests()).to.be.empty;
      const { stop, attempts } = getCallInfo(error);
      expect({ stop, attempts }).to.deep.equal({ stop: 'aborted', attempts: [] });
    });

    it('during the request ends it at the server, too', async () => {
      const server = await lab([{ hold: true }]);
      const controller = new AbortController();
      const call = send(server.here(path), { ...init, signal: controller.signal });
      await server.held();
      expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
      const { requests } = await server.until(({ requests }) => requests[0].outcome === 'client-left');
      expect(requests).to.have.length(1);
      expect(getCallInfo(reason)).to.include({ stop: 'aborted' });
    });

    it('during a wait ends the wait, and the repeat is never sent', async () => {
      const server = await lab([{ status: 503, headers: { 'retry-after-ms': 100 }, times: 2 }]);
      const controller = new AbortController();
      let waits;
      const waiting = new Promise((resolve) => (waits = resolve));
      const call = send(server.here(path), { ...init, signal: controller.signal, onRetry: waits });
      await waiting;
      await nextTask();
      expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
      // Another call meets the same wait later: when it is through, the first one's time is over, too.
      await send(server.here(path), init);
      expect(await server.requests()).to.have.length(3);
    });

    it('at a closed gate ends the wait there, and nothing is sent when it opens', async () => {
      const server = await lab([{ status: 429, headers: { 'retry-after-ms': 100 } }]);
      await send(server.here(path), { ...init, maxRetries: 0 });
      const controller = new AbortController();
      let waits;
      const waiting = new Promise((resolve) => (waits = resolve));
      const call = send(server.here(path), { ...init, signal: controller.signal, onRetry: waits });
      expect(await waiting).to.include({ reason: 'cooling-down' });
      await nextTask();
      expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
      // Another call waits at the same gate: when it is through, the first one would have been, too.
      await send(server.here(path), init);
      expect(await server.requests()).to.have.length(2);
    });

    it('in onRetry, before the wait begins, is heard as well', async () => {
      const server = await lab([{ status: 503, headers: { 'retry-after-ms': 60_000 } }]);
      const controller = new AbortController();
      const onRetry = () => controller.abort(reason);
      const error = await send(server.here(path), { ...init, signal: controller.signal, onRetry }).catch((error) => error);
      expect(error).to.equal(reason);
      expect(await server.requests()).to.have.length(1);
    });

    it('while `headers` is asked sends nothing, even if the headers come later', async () => {
      const server = await lab();
      const controller = new AbortController();
      let answer, asked;
      const begun = new Promise((resolve) => (asked = resolve));
      const headers = () => {
        asked();
        return new Promise((resolve) => (answer = resolve));
      };
      const call = send(server.here(path), { ...init, headers, signal: controller.signal });
      await begun;
      expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
      answer({ 'X-Late': '1' });
      await send(server.here(path), init);
      const sent = await server.requests();
      expect(sent).to.have.length(1);
      expect(sent[0].headers).not.to.have.property('x-late');
    });

    it('while `headers` is asked again before a repeat sends no repeat', async () => {
      const server = await lab([{ status: 503, headers: { 'retry-after-ms': 1 } }]);
      const controller = new AbortController();
      const headers = ({ attempt }) => (attempt === 1 ? {} : controller.abort(reason));
      const error = await send(server.here(path), { ...init, headers, signal: controller.signal }).catch((error) => error);
      expect(error).to.equal(reason);
      await send(server.here(path), init);
      expect(await server.requests()).to.have.length(2);
    });

    it('without a reason rejects with the platform\'s own AbortError', async () => {
      const server = await lab([{ hold: true }]);
      const controller = new AbortController();
      const call = send(server.here(path), { ...init, signal: controller.signal });
      await server.held();
      const { error } = await abortNow(call, controller);
      expect(error).to.be.instanceOf(DOMException);
      expect(error.name).to.equal('AbortError');
      expect(error).to.equal(controller.signal.reason);
      expect(explain(error)).to.match(/^The request was cancelled\./);
    });

    it('a second time, or after the answer, changes nothing', async () => {
      const server = await lab();
      const controller = new AbortController();
      const response = await send(server.here(path), { ...init, signal: controller.signal });
      expect(await response.json()).to.be.an('object');
      controller.abort(reason);
      controller.abort();
      expect(getCallInfo(response).stop).to.equal('success');
    });
  });
}

describe('an abort', () => {
  it('of aiFetch while an error\'s body is looked into sends no repeat', async () => {
    const reason = { mine: true };
    const server = await lab([{ status: 503, headers: { 'content-type': 'application/json' }, chunks: ['{"error":', '{}}'], holdChunks: true }]);
    const controller = new AbortController();
    let answered;
    const begins = new Promise((resolve) => (answered = resolve));
    const transport = async (...args) => {
      const response = await fetch(...args);
      const { clone } = response;
      response.clone = () => (answered(), clone.call(response));
      return response;
    };
    const call = aiFetch(server.here(MODEL), { method: 'POST', body: '{}', fetch: transport, signal: controller.signal });
    await begins;
    await nextTask();
    expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
    expect(getCallInfo(reason)).to.include({ stop: 'aborted' });
    await server.release();
    await aiFetch(server.here(MODEL), { method: 'POST', body: '{}' });
    expect(await server.requests()).to.have.length(2);
  });

  it('of spFetch while the digest is asked for sends nothing, even if it comes later', async () => {
    const reason = { mine: true };
    const server = await lab();
    const controller = new AbortController();
    let answer, asked;
    const begun = new Promise((resolve) => (asked = resolve));
    const digest = () => (asked(), new Promise((resolve) => (answer = resolve)));
    const call = spFetch(server.here(ITEMS), { method: 'POST', body: '{}', digest, signal: controller.signal });
    await begun;
    expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
    answer('late');
    await spFetch(server.here(ITEMS));
    expect(await server.requests()).to.have.length(1);
  });

  it('while a circuit is open ends the wait for its probe', async () => {
    const reason = { mine: true };
    const server = await lab({ steps: [{ status: 502, times: 4 }] });
    // Two seconds and a fifth more at most: longer than two and a half is not waited for.
    const ask = (more) => aiFetch(server.here(MODEL), { method: 'POST', body: '{}', circuit: { openMs: 2_000 }, ...more });
    for (let n = 0; n < 4; n++) await ask({ maxRetries: 0 });
    const controller = new AbortController();
    let waits;
    const waiting = new Promise((resolve) => (waits = resolve));
    const call = ask({ signal: controller.signal, onRetry: waits });
    await waiting;
    await nextTask();
    expect(await abortNow(call, controller, reason)).to.deep.equal({ error: reason });
    await ask();
    expect(await server.requests()).to.have.length(5);
  });
});

describe('a signal of the request itself', () => {
  it('of a Request counts', async () => {
    const server = await lab([{ hold: true }]);
    const controller = new AbortController();
    const call = spFetch(new Request(server.here(ITEMS), { signal: controller.signal }));
    await server.held();
    const { error } = await abortNow(call, controller, 'enough');
    expect(error).to.equal('enough');
    await server.until(({ requests }) => requests[0].outcome === 'client-left');
  });

  it('is taken out by `signal: null`', async () => {
    const server = await lab([{ hold: true }]);
    const controller = new AbortController();
    const call = spFetch(new Request(server.here(ITEMS), { signal: controller.signal }), { signal: null });
    await server.held();
    controller.abort();
    await server.release();
    expect((await call).status).to.equal(200);
  });

  it('AbortSignal.timeout of the caller rejects with its own TimeoutError', async () => {
    const server = await lab([{ stall: 'before-headers' }]);
    const signal = AbortSignal.timeout(50);
    const error = await spFetch(server.here(ITEMS), { signal }).catch((error) => error);
    expect(error).to.equal(signal.reason);
    expect(error.name).to.equal('TimeoutError');
    const { requests } = await server.until(({ requests }) => requests[0].outcome === 'client-left');
    expect(requests).to.have.length(1);
  });
});
