// SPFx's clients as npm has them as transports of spFetch and aiFetch, against the lab server.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { aiFetch, createAiFetch, createSpFetch, getCallInfo, resetPageState, spFetch } from '../../pkg/index.mjs';
import { viaAadHttpClient, viaHttpClient, viaSPHttpClient } from '../../pkg/spfx.mjs';
import spfx from '../clients/spfx.cjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { readmeLine } from './readme_lines.mjs';

const server = await startLab();
after(server.stop);
beforeEach(resetPageState);
const lab = scopesAt(server.address);

const { AadHttpClient, HttpClient, SPHttpClient } = spfx;
const ITEMS = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
const SOON = { 'retry-after-ms': 1 };
const POST = { method: 'POST', body: '{"Title":"once"}' };
const lists = { Orders: 3 };
/** A script by which the first write is answered so. */
const writesMeet = (step) => ({ lists, rules: [{ match: { method: 'POST', path: 'items' }, steps: [step] }] });

let tokens = 0;
const getToken = async () => `token-${++tokens}`;
const context = spfx.context();
const names = {
  createSpFetch, createAiFetch, viaSPHttpClient, viaAadHttpClient, viaHttpClient, SPHttpClient, AadHttpClient, HttpClient, context,
  aadHttpClient: context.aadHttpClient(getToken),
};
const transports = {
  SPHttpClient: viaSPHttpClient(context.spHttpClient, SPHttpClient.configurations.v1),
  AadHttpClient: viaAadHttpClient(names.aadHttpClient, AadHttpClient.configurations.v1),
  HttpClient: viaHttpClient(context.httpClient, HttpClient.configurations.v1),
};
/** The method and status of what arrived, but for requests of a digest. */
const sent = async (scope) =>
  (await scope.requests()).filter(({ path }) => !path.endsWith('/contextinfo')).map(({ method, status }) => `${method} ${status}`);
const failure = (call) => call.then(() => assert.fail('was answered'), (error) => error);

for (const [client, fetch] of Object.entries(transports)) {
  const should = (what, run) => test(`${client} ${what}`, run);

  should('reads by what the README says', async () => {
    const scope = await lab({ lists });
    const response = await readmeLine(client, names)(scope.here(ITEMS));
    assert.equal((await response.json()).value.length, 3);
    assert.equal(response.constructor.name, `${client.startsWith('Http') ? '' : client.replace('HttpClient', '')}HttpClientResponse`);
  });

  should('has a throttled read repeated once, and its own answer has the account', async () => {
    const scope = await lab({ lists, steps: [{ status: 429, headers: SOON }] });
    const response = await spFetch(scope.here(ITEMS), { fetch });
    assert.deepEqual(getCallInfo(response).attempts.map(({ status }) => status), [429, 200]);
    assert.deepEqual(await sent(scope), ['GET 429', 'GET 200']);
  });

  should('sends a write once that got 429', async () => {
    const scope = await lab(writesMeet({ status: 429, headers: SOON }));
    const response = await spFetch(scope.here(ITEMS), { ...POST, fetch });
    assert.equal(getCallInfo(response).stop, 'unsafe-method');
    assert.deepEqual(await sent(scope), ['POST 429']);
  });

  should('sends the same body again for aiFetch', async () => {
    const scope = await lab(writesMeet({ status: 503, headers: SOON }));
    const response = await aiFetch(scope.here(ITEMS), { ...POST, fetch });
    assert.equal(response.status, 201);
    const requests = (await scope.requests()).filter(({ path }) => path.endsWith('/items'));
    assert.deepEqual(requests.map(({ body, status }) => [body, status]), [[POST.body, 503], [POST.body, 201]]);
  });

  should('takes a Request: its method, headers and body', async () => {
    const scope = await lab({ lists });
    const request = new Request(scope.here(ITEMS), { ...POST, headers: { 'x-own': 'yes', 'x-requestdigest': 'mine' } });
    const response = await spFetch(request, { fetch });
    assert.equal(response.status, 201);
    const [{ method, headers, body }, ...more] = await scope.requests();
    assert.deepEqual([method, headers['x-own'], body, more.length], ['POST', 'yes', POST.body, 0]);
  });

  should('takes a Request whose method, headers and body are replaced', async () => {
    const scope = await lab([]);
    const request = new Request(scope.here(ITEMS), { headers: { 'x-own': 'no' } });
    await spFetch(request, { method: 'PUT', headers: { 'x-own': 'yes', 'x-requestdigest': 'mine' }, body: 'new', fetch });
    const [{ method, headers, body }] = await scope.requests();
    assert.deepEqual([method, headers['x-own'], body], ['PUT', 'yes', 'new']);
  });

  should('takes a Request that reads, and has it repeated', async () => {
    const scope = await lab({ lists, steps: [{ status: 429, headers: SOON }] });
    await spFetch(new Request(scope.here(ITEMS), { headers: { 'x-own': 'yes' } }), { fetch });
    assert.deepEqual((await scope.requests()).map(({ method, status, headers }) => [method, status, headers['x-own']]), [['GET', 429, 'yes'], ['GET', 200, 'yes']]);
  });

  should('takes a URL, and leaves the caller\'s init as it was', async () => {
    const scope = await lab({ lists });
    const init = Object.freeze({ headers: Object.freeze({ 'x-own': 'yes' }) });
    await fetch(new URL(scope.here(ITEMS)), init);
    assert.deepEqual(init, { headers: { 'x-own': 'yes' } });
    const [{ headers }] = await scope.requests();
    assert.equal(headers['x-own'], 'yes');
  });

  should('ends a call that is aborted while it waits for the answer, and the server sees it leave', async () => {
    const scope = await lab({ lists, steps: [{ hold: true }] });
    const controller = new AbortController();
    const call = failure(spFetch(scope.here(ITEMS), { fetch, signal: controller.signal }));
    await scope.held();
    const reason = new Error('left the page');
    controller.abort(reason);
    await scope.until(({ requests }) => requests[0].outcome === 'client-left');
    assert.equal(await call, reason);
  });

  for (const [whose, callOf] of [['a', (url, signal) => fetch(url, { signal })], ['a Request\'s', (url, signal) => fetch(new Request(url, { signal }))]]) {
    should(`ends by ${whose} signal when it is used without spFetch`, async () => {
      const scope = await lab({ lists, steps: [{ hold: true }] });
      const controller = new AbortController();
      const call = failure(callOf(scope.here(ITEMS), controller.signal));
      await scope.held();
      controller.abort();
      await scope.until(({ requests }) => requests[0].outcome === 'client-left');
      assert.equal((await call).name, 'AbortError');
    });
  }
}

test('everything that a Request says reaches the client', async () => {
  const said = {
    method: 'DELETE', mode: 'same-origin', credentials: 'include', cache: 'no-store', redirect: 'error', referrer: '', referrerPolicy: 'origin',
    integrity: 'sha256-x', keepalive: true,
  };
  const configuration = {};
  const calls = [];
  const client = { fetch: async (...call) => (calls.push(call), new Response()) };
  const url = 'https://contoso.sharepoint.com/_api/web';
  await viaHttpClient(client, configuration)(new Request(url, said), { priority: 'low' });
  const [[to, by, { headers, body, signal, ...options }]] = calls;
  assert.deepEqual([to, by === configuration, body.byteLength], [url, true, 0]);
  assert.deepEqual(options, { ...said, priority: 'low' });
});

// ---- what each of them does by itself

test('the digest of a write is SPHttpClient\'s: one request for it, one header', async () => {
  const scope = await lab({ lists, sharepoint: { digestMs: 60_000 } });
  const post = createSpFetch({ fetch: transports.SPHttpClient });
  for (const status of [201, 201]) assert.equal((await post(scope.here(ITEMS), POST)).status, status);
  const requests = await scope.requests();
  assert.deepEqual(requests.map(({ path }) => path.split('/').pop()), ['contextinfo', 'items', 'items']);
  assert.match(requests[1].headers['x-requestdigest'], /^[^,]+,[^,]+$/); // hash and date: a second one would be joined to it
});

test('with the option `digest` SPHttpClient asks for none', async () => {
  const scope = await lab({ lists });
  await spFetch(scope.here(ITEMS), { ...POST, fetch: transports.SPHttpClient, digest: async () => 'mine' });
  const [{ headers }, ...more] = await scope.requests();
  assert.deepEqual([headers['x-requestdigest'], more.length], ['mine', 0]);
});

test('options of SPHttpClient itself reach it: webUrl says whose digest is asked for', async () => {
  const scope = await lab({ lists });
  await spFetch(scope.here(ITEMS), { ...POST, fetch: transports.SPHttpClient, webUrl: scope.here('/sites/b') });
  const [{ path }] = await scope.requests();
  assert.match(path, /\/sites\/b\/_api\/contextinfo$/);
});

test('a write that is aborted while SPHttpClient asks for the digest rejects at once, and is never sent', async () => {
  const scope = await lab({ lists, rules: [{ match: { path: 'contextinfo' }, steps: [{ hold: true }] }] });
  const controller = new AbortController();
  const call = failure(spFetch(scope.here(ITEMS), { ...POST, fetch: transports.SPHttpClient, signal: controller.signal }));
  await scope.held();
  controller.abort(new Error('left the page'));
  assert.equal((await call).message, 'left the page');
  await scope.release();
  // SPHttpClient has the digest once another write has gone out with it.
  await spFetch(scope.here(ITEMS), { ...POST, fetch: transports.SPHttpClient });
  assert.equal((await scope.account()).lists.Orders.count, 4);
});

test('AadHttpClient is asked for a token before every send', async () => {
  const scope = await lab([{ status: 429, headers: SOON }]);
  tokens = 0;
  await readmeLine('AadHttpClient', names)(scope.here('/api/ask'), POST);
  assert.deepEqual((await scope.requests()).map(({ headers }) => headers.authorization), ['Bearer token-1', 'Bearer token-2']);
});

test('a call that is aborted while AadHttpClient waits for a token rejects at once, and nothing is sent', async () => {
  const scope = await lab([]);
  let give;
  const slow = context.aadHttpClient(() => new Promise((resolve) => (give = resolve)));
  const settled = [];
  const fetch = (...call) => {
    const answer = viaAadHttpClient(slow, AadHttpClient.configurations.v1)(...call);
    settled.push(failure(answer));
    return answer;
  };
  const controller = new AbortController();
  const call = failure(aiFetch(scope.here('/api/ask'), { ...POST, fetch, signal: controller.signal }));
  while (!give) await new Promise(setImmediate);
  controller.abort(new Error('left the page'));
  assert.equal((await call).message, 'left the page');
  give('late');
  assert.equal((await settled[0]).message, 'left the page');
  assert.deepEqual(await scope.requests(), []);
});

test('after a 403 AadHttpClient sends a write again by itself, with a new token: one attempt of ours, two requests', async () => {
  const scope = await lab([{ status: 403 }]);
  tokens = 0;
  const response = await spFetch(scope.here('/api/ask'), { ...POST, fetch: transports.AadHttpClient });
  assert.deepEqual(getCallInfo(response).attempts.map(({ status }) => status), [200]);
  assert.deepEqual((await scope.requests()).map(({ status, headers }) => [status, headers.authorization]), [[403, 'Bearer token-1'], [200, 'Bearer token-2']]);
});
