// The SDKs of OpenAI and Anthropic, as npm has them, with aiFetch in the place of fetch, against the lab server. They
// are told not to repeat: one layer does.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { anthropic } from '../sdk/anthropic.mjs';
import { openai } from '../sdk/openai.mjs';
import { forgetPage, importFresh } from './fresh_package.mjs';

const { aiFetch, createAiFetch, getCallInfo, isSteadError } = await importFresh();
const server = await startLab();
after(server.stop);
beforeEach(forgetPage);
const lab = scopesAt(server.address);

const PIECES = ['Be', 'cause ', 'it ', 'is ', 'ünïcode 😀', '.'];
const TEXT = PIECES.join('');
const SSE = { 'content-type': 'text/event-stream' };
const SOON = { 'retry-after-ms': 1 };

for (const sdk of [openai(OpenAI), anthropic(Anthropic)]) {
  const model = { answer: sdk.answer(TEXT) };
  const begun = PIECES.slice(0, 2);
  /** A stream that brings the first pieces and then nothing more. */
  const stalled = { headers: SSE, chunks: sdk.events(begun).slice(0, -1), stall: 'mid-body' };

  /** A scope whose model answers TEXT after these steps, and a client of it. */
  async function open(steps, options) {
    const scope = await lab({ steps, model });
    return { scope, client: sdk.client(scope.here('/api'), { fetch: aiFetch, ...options }) };
  }
  const failure = (call) => call.then(() => assert.fail('was answered'), (error) => error);
  const should = (what, run) => test(`${sdk.name} ${what}`, run);

  should('gets an answer', async () => {
    const { scope, client } = await open([]);
    assert.equal(sdk.textOf(await sdk.ask(client)), TEXT);
    const [request, ...more] = await scope.requests();
    assert.deepEqual([request.method, more.length], ['POST', 0]);
    assert.equal(request.headers['x-stainless-retry-count'], '0');
  });

  should('gets an answer through createAiFetch, with its key and its deadline on the request', async () => {
    const fetch = createAiFetch({ idempotencyKey: 'order-17', deadlineHeader: 'x-deadline-ms', timeout: 60_000 });
    const { scope, client } = await open([], { fetch });
    assert.equal(sdk.textOf(await sdk.ask(client)), TEXT);
    const [{ headers }] = await scope.requests();
    assert.equal(headers['idempotency-key'], 'order-17');
    const left = Number(headers['x-deadline-ms']);
    assert.ok(left > 0 && left <= 60_000, headers['x-deadline-ms']);
  });

  should('hands over the Response, and with it the account of the call', async () => {
    const { client } = await open([{ status: 503, headers: SOON }]);
    const { data, response } = await sdk.ask(client).withResponse();
    assert.equal(sdk.textOf(data), TEXT);
    assert.deepEqual(getCallInfo(response).attempts.map(({ status }) => status), [503, 200]);
  });

  should('gets a stream in pieces, in their order', async () => {
    const { client } = await open([{ status: 200, headers: SSE, chunks: sdk.events(PIECES), chunkEveryMs: 5 }]);
    const pieces = [];
    for await (const event of await sdk.stream(client)) pieces.push(sdk.pieceOf(event));
    assert.deepEqual(pieces.filter(Boolean), PIECES);
  });

  should('gets each piece when it comes, not when the stream ends', async () => {
    const { scope, client } = await open([stalled]);
    const stream = await sdk.stream(client);
    const pieces = [];
    for await (const event of stream) {
      pieces.push(sdk.pieceOf(event));
      if (pieces.join('') === begun.join('')) break; // the server never ends
    }
    assert.deepEqual(pieces.filter(Boolean), begun);
    await scope.until(({ inFlight }) => inFlight === 0); // leaving the loop has closed the connection
  });

  should('sees one answer where aiFetch has repeated a fast 503', async () => {
    const { scope, client } = await open([{ status: 503, headers: SOON }]);
    assert.equal(sdk.textOf(await sdk.ask(client)), TEXT);
    assert.deepEqual((await scope.requests()).map(({ status }) => status), [503, 200]);
  });

  should('sees one stream where aiFetch has repeated a fast 503', async () => {
    const steps = [{ status: 503, headers: SOON }, { headers: SSE, chunks: sdk.events(PIECES) }];
    const { scope, client } = await open(steps);
    let text = '';
    for await (const event of await sdk.stream(client)) text += sdk.pieceOf(event);
    assert.equal(text, TEXT);
    assert.equal((await scope.requests()).length, 2);
  });

  should('waits as long as a 429 says', async () => {
    const { scope, client } = await open([{ status: 429, headers: { 'retry-after-ms': 250 } }]);
    assert.equal(sdk.textOf(await sdk.ask(client)), TEXT);
    const [first, second] = await scope.requests();
    assert.ok(second.atMs - first.endedMs >= 249, `${second.atMs - first.endedMs} ms`);
  });

  should('throws its own error for a 400, which is sent once', async () => {
    const { scope, client } = await open([{ status: 400, body: sdk.badRequest }]);
    const error = await failure(sdk.ask(client));
    assert.ok(error instanceof sdk.SDK.BadRequestError, String(error));
    assert.equal(error.status, 400);
    assert.match(error.message, /No such model|too many/);
    assert.equal((await scope.requests()).length, 1);
  });

  should('throws its own error for a 429 that stays, with its headers', async () => {
    const { scope, client } = await open([{ status: 429, headers: { 'retry-after': '600' } }]);
    const error = await failure(sdk.ask(client));
    assert.ok(error instanceof sdk.SDK.RateLimitError, String(error));
    assert.equal(error.headers.get('retry-after'), '600');
    assert.equal((await scope.requests()).length, 1);
  });

  for (const [what, start] of [['call', sdk.ask], ['stream', sdk.stream]]) {
    should(`ends a ${what} that its signal aborts before the answer`, async () => {
      const { scope, client } = await open([{ hold: true }]);
      const controller = new AbortController();
      const call = failure(start(client, { signal: controller.signal }));
      await scope.held();
      controller.abort();
      assert.ok((await call) instanceof sdk.SDK.APIUserAbortError);
      await scope.until(({ requests }) => requests[0].outcome === 'client-left');
    });
  }

  should('sends nothing after an abort between two attempts', async () => {
    const controller = new AbortController();
    const fetch = createAiFetch({ onRetry: ({ reason }) => reason !== 'cooling-down' && controller.abort() });
    const { scope, client } = await open([{ status: 503, headers: { 'retry-after-ms': 20 }, times: 2 }], { fetch });
    const error = await failure(sdk.ask(client, { signal: controller.signal }));
    assert.ok(error instanceof sdk.SDK.APIUserAbortError);
    // Another call waits as long as the aborted one would have, is repeated, and is the last that the server sees.
    const later = sdk.client(scope.here('/api'), { fetch: aiFetch });
    assert.equal(sdk.textOf(await sdk.ask(later)), TEXT);
    assert.deepEqual((await scope.requests()).map(({ status }) => status), [503, 503, 200]);
  });

  should('ends a stream by its controller: the text so far stays, and the server sees the client leave', async () => {
    const { scope, client } = await open([stalled]);
    const stream = await sdk.stream(client);
    let text = '';
    for await (const event of stream) {
      text += sdk.pieceOf(event);
      if (text === begun.join('')) stream.controller.abort();
    }
    assert.equal(text, begun.join(''));
    const { requests } = await scope.until(({ inFlight }) => inFlight === 0);
    assert.deepEqual(requests.map(({ outcome }) => outcome), ['client-left']);
  });

  should('throws when aiFetch\'s deadline ends a call', async () => {
    const fetch = createAiFetch({ timeout: 100 });
    const { scope, client } = await open([{ hold: true }], { fetch });
    const error = await failure(sdk.ask(client));
    assert.ok(error instanceof sdk.SDK.APIConnectionError, String(error));
    assert.ok(error instanceof sdk.SDK.APIConnectionTimeoutError || isSteadError(error.cause, 'ETIMEOUT'));
    assert.equal((await scope.requests()).length, 1);
  });

  should('that repeats nevertheless gets one send for each of its own repeats: the two do not multiply', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {});
    const { createAiFetch } = await importFresh(); // has not warned yet
    const stops = [];
    const fetch = createAiFetch({ circuit: false, retryBudget: false, onDone: ({ stop }) => stops.push(stop) });
    const { scope, client } = await open([{ status: 503, headers: SOON, times: 100 }], { fetch, maxRetries: 2 });
    const error = await failure(sdk.ask(client));
    assert.equal(error.status, 503);
    const counts = (await scope.requests()).map(({ headers }) => headers['x-stainless-retry-count']);
    assert.deepEqual(counts, ['0', '0', '0', '1', '2']);
    assert.deepEqual(stops, ['no-retries-left', 'stacked-retries', 'stacked-retries']);
    assert.equal(warn.mock.callCount(), 1);
  });
}
