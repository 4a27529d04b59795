// The Vercel AI SDK with aiFetch in the place of fetch, against the lab server; and the README's lines for the SDKs that
// sdks.test.mjs has at length.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { aiFetch, createAiFetch, resetPageState } from '../../pkg/index.mjs';
import { createOpenAI, generateText, streamText } from '../clients/vercel.mjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { anthropic } from '../sdk/anthropic.mjs';
import { openai } from '../sdk/openai.mjs';
import { readmeLine } from './readme_lines.mjs';

const server = await startLab();
after(server.stop);
beforeEach(resetPageState);
const lab = scopesAt(server.address);

const SOON = { 'retry-after-ms': 1 };
const THROTTLED = { status: 429, headers: SOON };
const TEXT = 'Because.';
/** An answer of OpenAI's Responses, which this SDK asks by default. */
const ANSWER = {
  id: 'resp_1', created_at: 1, model: 'gpt-5', status: 'completed', incomplete_details: null, usage: { input_tokens: 1, output_tokens: 1 },
  output: [{ type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: TEXT, annotations: [] }] }],
};

async function open(steps, fetch = aiFetch) {
  const scope = await lab({ steps, model: { answer: ANSWER } });
  const options = { apiKey: 'none', baseURL: scope.here('/api') };
  /** The README's line, with what a reader adds to the call. */
  const ask = (more) => {
    const ofReader = (call) => generateText({ ...call, ...more });
    return readmeLine('Vercel AI SDK', { generateText: ofReader, createOpenAI, aiFetch: fetch, options, prompt: 'Why?' });
  };
  return { scope, ask, model: createOpenAI({ ...options, fetch })('gpt-5') };
}
const statuses = async (scope) => (await scope.requests()).map(({ status }) => status);
const failure = (call) => Promise.resolve(call).then(() => assert.fail('was answered'), (error) => error);

test('the Vercel AI SDK gets an answer', async () => {
  const { scope, ask } = await open([]);
  assert.equal((await ask()).text, TEXT);
  assert.deepEqual((await scope.requests()).map(({ method, path }) => [method, path.split('/').pop()]), [['POST', 'responses']]);
});

test('the Vercel AI SDK has a fast failure repeated by us, and by nobody else', async () => {
  const { scope, ask } = await open([THROTTLED]);
  assert.equal((await ask()).text, TEXT);
  assert.deepEqual(await statuses(scope), [429, 200]);

  const staying = await open([{ ...THROTTLED, times: 100 }], createAiFetch({ circuit: false, maxRetries: 1 }));
  assert.equal((await failure(staying.ask())).statusCode, 429);
  assert.deepEqual(await statuses(staying.scope), [429, 429]);
});

test('the Vercel AI SDK throws its own error for what is final, which is sent once', async () => {
  const { scope, ask } = await open([{ status: 400, body: { error: { message: 'No such model', type: 'invalid_request_error' } } }]);
  const error = await failure(ask());
  assert.equal(error.name, 'AI_APICallError');
  assert.equal(error.message, 'No such model');
  assert.deepEqual(await statuses(scope), [400]);
});

test('the Vercel AI SDK gets a stream in pieces', async () => {
  const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
  const pieces = ['Be', 'cause', '.'];
  const chunks = [
    event({ type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } }),
    event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } }),
    ...pieces.map((delta) => event({ type: 'response.output_text.delta', item_id: 'msg_1', delta })),
    event({ type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'msg_1' } }),
    event({ type: 'response.completed', response: { incomplete_details: null, usage: { input_tokens: 1, output_tokens: 3 } } }),
  ];
  const { scope, model } = await open([THROTTLED, { headers: { 'content-type': 'text/event-stream' }, chunks, chunkEveryMs: 2 }]);
  const seen = [];
  for await (const piece of streamText({ model, prompt: 'Why?', maxRetries: 0 }).textStream) seen.push(piece);
  assert.deepEqual(seen, pieces);
  assert.deepEqual(await statuses(scope), [429, 200]);
});

test('the Vercel AI SDK ends a call that its signal aborts before the answer', async () => {
  const { scope, ask } = await open([{ hold: true }]);
  const controller = new AbortController();
  const call = failure(ask({ abortSignal: controller.signal }));
  await scope.held();
  controller.abort();
  await scope.until(({ requests }) => requests[0].outcome === 'client-left');
  assert.equal((await call).name, 'AbortError');
});

test('the Vercel AI SDK that repeats nevertheless does not say so: the two multiply', async () => {
  const stops = [];
  const fetch = createAiFetch({ circuit: false, coolDown: false, maxRetries: 1, onDone: ({ stop }) => stops.push(stop) });
  const { scope, ask } = await open([{ ...THROTTLED, times: 100 }], fetch);
  assert.equal((await failure(ask({ maxRetries: 1 }))).name, 'AI_RetryError');
  assert.deepEqual(await statuses(scope), [429, 429, 429, 429]);
  assert.deepEqual(stops, ['no-retries-left', 'no-retries-left']);
});

for (const [name, sdk] of [['OpenAI', openai(OpenAI)], ['Anthropic', anthropic(Anthropic)]]) {
  test(`the SDK of ${name}, made as the README says, leaves repeating to us`, async () => {
    const scope = await lab({ steps: [{ ...THROTTLED, times: 100 }] });
    const fetch = createAiFetch({ circuit: false, maxRetries: 1 });
    const options = { apiKey: 'none', baseURL: scope.here('/api') };
    const client = readmeLine(`${name} SDK`, { [name]: sdk.SDK, aiFetch: fetch, options });
    const error = await failure(sdk.ask(client));
    assert.ok(error instanceof sdk.SDK.RateLimitError, String(error));
    assert.deepEqual(await statuses(scope), [429, 429]);
  });
}
