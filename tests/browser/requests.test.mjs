// What fetch takes as input and init means what it means to fetch; ours is added and the caller's objects stay as they are.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';

const SOON = { baseMs: 1 };
const FAIL_TWICE = [{ status: 503, headers: { 'retry-after-ms': 1 }, times: 2 }];

describe('an input', () => {
  const paths = async (server) => (await server.requests()).map(({ path, query }) => `${path}?${query.split('&')[0]}`);

  it('may be a string, a relative address, a URL, a Request and anything that becomes a string', async () => {
    const server = await lab();
    const url = server.here(`${ITEMS}?$top=1`);
    const inputs = [url, url.slice(location.origin.length), new URL(url), new Request(url), { toString: () => url }];
    for (const input of inputs) expect((await spFetch(input)).status).to.equal(200);
    expect(await paths(server)).to.deep.equal(inputs.map(() => `${ITEMS}?$top=1`));
  });

  it('is handed to the transport as it is, and once only if there is nothing to change', async () => {
    const request = new Request('/api/x', { headers: { 'X-A': '1' } });
    const calls = [];
    const fetch = async (...args) => calls.push(args) && new Response('');
    await spFetch(request, { fetch, future: 7 });
    expect(calls[0][0]).to.equal(request);
    expect(calls[0][1]).to.include({ future: 7 }).and.not.have.any.keys('fetch', 'headers', 'method', 'body');
  });

  it('is completed by init, which wins, and its headers are kept', async () => {
    const server = await lab();
    const request = new Request(server.here(MODEL), { method: 'PUT', body: 'theirs', headers: { 'X-A': '1' } });
    await aiFetch(request, { method: 'PATCH', body: 'ours' });
    const [sent] = await server.requests();
    expect(sent).to.include({ method: 'PATCH', body: 'ours' });
    expect(sent.headers).to.include({ 'x-a': '1' }).and.have.property('idempotency-key');
  });
});

describe('what else stands in init', () => {
  it('reaches the platform: cookies, referrer, cache', async () => {
    const server = await lab();
    document.cookie = 'lab=1; path=/t/';
    const init = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' };
    await spFetch(server.here(ITEMS));
    await spFetch(server.here(ITEMS), init);
    const [usual, special] = (await server.requests()).map(({ headers }) => headers);
    expect(usual).to.include({ cookie: 'lab=1' }).and.have.property('referer');
    expect(special).to.not.have.any.keys('cookie', 'referer');
    expect(special).to.include({ 'cache-control': 'no-cache' });
  });

  it('headers may be a record, pairs or Headers, also from a function, and stay as they are', async () => {
    const server = await lab();
    const shapes = [{ 'X-A': '1' }, [['X-A', '1'], ['X-A', '2']], new Headers({ 'X-A': '1' })];
    for (const headers of shapes) {
      await aiFetch(server.here(MODEL), { method: 'POST', headers });
      await aiFetch(server.here(MODEL), { method: 'POST', headers: async () => headers });
    }
    const sent = (await server.requests()).map(({ headers }) => headers['x-a']);
    expect(sent).to.deep.equal(['1', '1', '1, 2', '1, 2', '1', '1']);
    expect(shapes.map((headers) => [...new Headers(headers)])).to.deep.equal([[['x-a', '1']], [['x-a', '1, 2']], [['x-a', '1']]]);
    expect(shapes[0]).to.deep.equal({ 'X-A': '1' });
  });

  it('`headers` as a function is asked before every send', async () => {
    const server = await lab(FAIL_TWICE);
    const headers = ({ attempt }) => ({ Authorization: `Bearer ${attempt}` });
    await aiFetch(server.here(MODEL), { method: 'POST', headers, backoff: SOON });
    const sent = (await server.requests()).map(({ headers }) => headers.authorization);
    expect(sent).to.deep.equal(['Bearer 1', 'Bearer 2', 'Bearer 3']);
  });

  it('deadlineHeader sends the milliseconds left, fresh on every attempt', async () => {
    const server = await lab([{ status: 503, headers: { 'retry-after-ms': 100 }, times: 2 }]);
    const init = { method: 'POST', deadlineHeader: 'x-deadline-ms', timeout: 30_000 };
    await aiFetch(server.here(MODEL), init);
    const left = (await server.requests()).map(({ headers }) => Number(headers['x-deadline-ms']));
    expect(left[0]).to.be.within(29_000, 30_000);
    expect(left[1]).to.be.at.most(left[0] - 100);
    expect(left[2]).to.be.at.most(left[1] - 100);
  });
});
