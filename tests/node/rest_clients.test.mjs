// The Graph SDK, Kiota and axios, as npm has them, with spFetch in the place of fetch, against the lab server.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { AnonymousAuthenticationProvider, HttpMethod, RequestInformation } from '@microsoft/kiota-abstractions';
import { FetchRequestAdapter, KiotaClientFactory, MiddlewareFactory, RetryHandler } from '@microsoft/kiota-http-fetchlibrary';
import graph from '@microsoft/microsoft-graph-client';
import axios from 'axios';
import { createAiFetch, createSpFetch, isSteadError, resetPageState, spFetch } from '../../pkg/index.mjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { readmeLine } from './readme_lines.mjs';

const server = await startLab();
after(server.stop);
beforeEach(resetPageState);
const lab = scopesAt(server.address);

/** How to wait as we read it, and as these libraries do. */
const SOON = { 'retry-after-ms': 1, 'retry-after': '0' };
const { AuthenticationHandler, Client, TelemetryHandler } = graph;
const authProvider = { getAccessToken: async () => 'token' };

const clients = [
  {
    name: 'Graph SDK 3',
    make: (base, spFetch) =>
      readmeLine('Graph SDK 3', { Client, AuthenticationHandler, TelemetryHandler, authProvider, spFetch, options: { baseUrl: `${base}/` } }),
    repeating: (base, spFetch) => {
      const send = { execute: async (context) => { context.response = await spFetch(context.request, context.options); } };
      return Client.initWithMiddleware({ baseUrl: `${base}/`, middleware: [new AuthenticationHandler(authProvider), new graph.RetryHandler(), send] });
    },
    get: async (client, { signal } = {}) => (await client.api('/me').options({ signal }).get()).answer,
    post: (client) => client.api('/me/messages').post({ subject: 'once' }),
    statusOf: (error) => error.statusCode,
    aborted: (error) => error.code,
  },
  {
    name: 'Kiota',
    make: (base, spFetch) => kiota(base, readmeLine('Kiota', { KiotaClientFactory, MiddlewareFactory, RetryHandler, spFetch })),
    repeating: (base, spFetch) => kiota(base, KiotaClientFactory.create(spFetch)),
    get: async (client) => JSON.parse(new TextDecoder().decode(await client.sendPrimitive(asked(HttpMethod.GET), 'ArrayBuffer', undefined))).answer,
    post: (client) => client.sendNoResponseContent(asked(HttpMethod.POST), undefined),
    statusOf: (error) => error.responseStatusCode,
  },
  {
    name: 'axios',
    make: (base, spFetch) => readmeLine('axios', { axios, spFetch, options: { baseURL: base } }),
    get: async (client, { signal } = {}) => (await client.get('/me', { signal })).data.answer,
    post: (client) => client.post('/me/messages', { subject: 'once' }),
    statusOf: (error) => error.response.status,
    aborted: (error) => error.name,
  },
];

function kiota(base, httpClient) {
  const adapter = new FetchRequestAdapter(new AnonymousAuthenticationProvider(), undefined, undefined, httpClient);
  adapter.baseUrl = base;
  return adapter;
}

function asked(method) {
  const request = new RequestInformation(method, '{+baseurl}/me', {});
  if (method === HttpMethod.POST) request.setStreamContent(new TextEncoder().encode('{"subject":"once"}').buffer, 'application/json');
  return request;
}

const sent = async (scope) => (await scope.requests()).map(({ method, status }) => `${method} ${status}`);
const failure = (call) => call.then(() => assert.fail('was answered'), (error) => error);

for (const { name, make, repeating, get, post, statusOf, aborted } of clients) {
  const should = (what, run) => test(`${name} ${what}`, run);
  async function open(steps, fetch = spFetch, by = make) {
    const scope = await lab({ steps, model: { answer: { answer: '42' } } });
    return { scope, client: by(scope.here('/api'), fetch) };
  }

  should('gets an answer', async () => {
    const { scope, client } = await open([]);
    assert.equal(await get(client), '42');
    assert.deepEqual(await sent(scope), ['GET 200']);
  });

  should('writes: with its body, once', async () => {
    const { scope, client } = await open([]);
    await post(client);
    const [{ method, status, body }, ...more] = await scope.requests();
    assert.deepEqual([method, status, JSON.parse(body), more.length], ['POST', 200, { subject: 'once' }, 0]);
  });

  for (const status of [429, 503]) {
    should(`has a read that got ${status} repeated once, by nobody else`, async () => {
      const { scope, client } = await open([{ status, headers: SOON }]);
      assert.equal(await get(client), '42');
      assert.deepEqual(await sent(scope), [`GET ${status}`, 'GET 200']);
    });

    should(`sends a write once that got ${status}, and throws its own error`, async () => {
      const { scope, client } = await open([{ status, headers: SOON }]);
      assert.equal(statusOf(await failure(post(client))), status);
      assert.deepEqual(await sent(scope), [`POST ${status}`]);
    });
  }

  should('throws its own error for a read that stays throttled, after our repeats', async () => {
    const fetch = createSpFetch({ maxRetries: 1, coolDown: false });
    const { scope, client } = await open([{ status: 429, headers: SOON, times: 100 }], fetch);
    assert.equal(statusOf(await failure(get(client))), 429);
    assert.deepEqual(await sent(scope), ['GET 429', 'GET 429']);
  });

  if (!aborted) {
    should('hands no signal on, but a deadline ends its calls', async () => {
      const signals = [];
      const { scope, client } = await open([{ hold: true }], (url, init) => {
        signals.push('signal' in init);
        return spFetch(url, { ...init, timeout: 100 });
      });
      assert.ok(isSteadError(await failure(get(client)), 'ETIMEOUT'));
      assert.deepEqual(signals, [false]);
      await scope.until(({ requests }) => requests[0].outcome === 'client-left');
    });
  } else {
    should('ends a call that its signal aborts before the answer', async () => {
      const { scope, client } = await open([{ hold: true }]);
      const controller = new AbortController();
      const call = failure(get(client, { signal: controller.signal }));
      await scope.held();
      controller.abort();
      await scope.until(({ requests }) => requests[0].outcome === 'client-left');
      assert.match(aborted(await call), /^(AbortError|CanceledError)$/);
    });

    should('sends nothing after an abort between two attempts', async () => {
      const controller = new AbortController();
      const fetch = createSpFetch({ coolDown: false, onRetry: () => controller.abort() });
      const { scope, client } = await open([{ status: 503, headers: { 'retry-after-ms': 20 }, times: 2 }], fetch);
      await failure(get(client, { signal: controller.signal }));
      // Another call waits as long as the aborted one would have, is repeated, and is the last that the server sees.
      assert.equal(await get(make(scope.here('/api'), spFetch)), '42');
      assert.deepEqual(await sent(scope), ['GET 503', 'GET 503', 'GET 200']);
    });
  }

  if (repeating) {
    should('that repeats nevertheless numbers its repeats, and each of those is sent once', async (t) => {
      t.mock.method(console, 'warn', () => {});
      const stops = [];
      const fetch = createSpFetch({ maxRetries: 2, coolDown: false, onDone: ({ stop }) => stops.push(stop) });
      const { scope, client } = await open([{ status: 429, headers: SOON, times: 100 }], fetch, repeating);
      assert.equal(statusOf(await failure(get(client))), 429);
      assert.deepEqual(stops, ['no-retries-left', 'stacked-retries', 'stacked-retries', 'stacked-retries']);
      const numbers = (await scope.requests()).map(({ headers }) => headers['retry-attempt']);
      assert.deepEqual(numbers, [undefined, undefined, undefined, '1', '2', '3']);
    });

    should('that repeats nevertheless sends a write again: this is why its line leaves that out', async (t) => {
      t.mock.method(console, 'warn', () => {});
      const { scope, client } = await open([{ status: 429, headers: SOON }], createSpFetch({ coolDown: false }), repeating);
      await post(client);
      assert.deepEqual(await sent(scope), ['POST 429', 'POST 200']);
    });
  }
}

test('axios gets the same body again from aiFetch, though it hands over a Request', async () => {
  const scope = await lab([{ status: 503, headers: SOON }]);
  const fetch = createAiFetch({ idempotencyKey: 'order-17' });
  await axios.create({ adapter: 'fetch', env: { fetch }, baseURL: scope.here('/api') }).post('/ask', { question: 'why' });
  const requests = await scope.requests();
  assert.deepEqual(requests.map(({ status, body, headers }) => [status, body, headers['idempotency-key']]), [
    [503, '{"question":"why"}', 'order-17'],
    [200, '{"question":"why"}', 'order-17'],
  ]);
});
