// Web parts live among frames and workers: objects of another realm serve like the page's own, and nothing needs a window.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, spFetch, streamAi } from '/pkg/index.mjs';
import { STOP, event, listen, stream } from './chat.mjs';
import { frame } from './frame.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { afterwards } from './replace.mjs';

const HINT = { 'retry-after-ms': 1 };

describe('objects of another frame', () => {
  let other;
  beforeEach(async () => (other = await frame('/www/server/README.md')));

  it('serve like the page\'s own: fetch, Request, Headers, AbortSignal', async () => {
    const server = await lab([{ status: 503, headers: HINT }, {}, { hold: true }]);
    const { signal, abort } = abortable(other);
    const headers = new other.Headers({ 'X-A': '1' });
    const request = new other.Request(server.here(MODEL), { method: 'POST', body: 'x', headers });
    const response = await aiFetch(request, { fetch: other.fetch.bind(other), signal });
    expect(response).to.be.instanceOf(other.Response);
    expect(getCallInfo(response).stop).to.equal('success');
    const sent = (await server.requests()).map(({ body, headers }) => [body, headers['x-a']]);
    expect(sent).to.deep.equal([['x', '1'], ['x', '1']]);

    const call = spFetch(server.here(ITEMS), { signal }).catch((error) => error);
    await server.held(3);
    abort('enough');
    expect(await call).to.equal('enough');
    await server.until(({ requests }) => requests[2].outcome === 'client-left');
  });

  it('are read like the page\'s own: a stream of its fetch, ended by its signal', async () => {
    const server = await lab([stream([event('one ')], { stall: 'mid-body' })]);
    const { signal, abort } = abortable(other);
    const answer = streamAi(await other.fetch(server.here(MODEL)), { signal });
    const heard = await listen(answer, () => abort('enough'));
    expect(heard).to.deep.equal({ pieces: ['one '], thrown: 'enough' });
    expect(await answer.result).to.include({ outcome: 'incomplete_stream', errorKind: 'cancelled', text: 'one ' });
  });

  it('mean the same: a network failure of its fetch', async () => {
    const server = await lab([{ drop: 'rst-mid-headers' }]);
    const response = await spFetch(server.here(ITEMS), { fetch: other.fetch.bind(other), backoff: { baseMs: 1 } });
    expect(getCallInfo(response).attempts[0]).to.include({ error: 'TypeError', decision: 'retry' });
  });
});

const abortable = ({ AbortController }) => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
};

describe('a worker', () => {
  it('calls and reads as a page does, and its own origin is the page\'s', async () => {
    const words = ['one ', 'two '].map((text) => event(text));
    const server = await lab([{ status: 503, headers: HINT }, stream([...words, STOP], { chunkEveryMs: 50 })]);
    const worker = new Worker('./worker.mjs', { type: 'module' });
    afterwards(() => worker.terminate());
    const told = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
    worker.postMessage([server.here(MODEL), { method: 'POST', body: 'x' }]);
    const { status, info, pieces, result } = await told;
    expect(status).to.equal(200);
    expect(pieces.join('')).to.equal('one two ');
    expect(result).to.include({ outcome: 'complete', text: 'one two ' });
    expect(info.attempts).to.have.length(2);
    const keys = (await server.requests()).map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.deep.equal([info.idempotencyKey, info.idempotencyKey]);
    expect(info.idempotencyKey).to.be.a('string');
  });
});

describe('a frame made of a text', () => {
  /** Has such a frame import the package and make one call; gives the key that went out. */
  async function keyFrom(sandbox, address) {
    const source = await (await fetch('/pkg/index.mjs')).text();
    const element = document.createElement('iframe');
    element.sandbox = sandbox;
    element.srcdoc = `<script type="module">
      onmessage = async ({ data: [source, address] }) => {
        // A frame without an origin may import nothing of this server's.
        const { aiFetch, getCallInfo } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
        const response = await aiFetch(address, { method: 'POST', body: 'x' });
        parent.postMessage(getCallInfo(response).idempotencyKey, '*');
      };
      parent.postMessage('ready', '*');
    </script>`;
    const heard = () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
    const ready = heard();
    document.body.append(element);
    afterwards(() => element.remove());
    expect(await ready).to.equal('ready');
    const key = heard();
    element.contentWindow.postMessage([source, address], '*');
    return key;
  }

  it('has the origin of its page, and so the key', async () => {
    const server = await lab();
    const key = await keyFrom('allow-scripts allow-same-origin', new URL(server.here(MODEL)).pathname);
    expect(key).to.be.a('string');
    expect((await server.requests())[0].headers).to.include({ 'idempotency-key': key });
  });

  it('that is sandboxed has no origin of its own, and so no key', async () => {
    const server = await lab();
    expect(await keyFrom('allow-scripts', server.here(MODEL))).to.equal(null);
    const { requests, preflights } = await server.account();
    expect(requests[0].headers).to.include({ origin: 'null' }).and.not.have.property('idempotency-key');
    expect(preflights).to.equal(0);
  });
});
