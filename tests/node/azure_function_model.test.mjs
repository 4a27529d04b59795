// The function's sample model: chat completions, asked once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../www/function/failure.js';
import { chatModel } from '../../www/function/model.js';
import { withGlobals } from './fresh_package.mjs';

const URL = 'https://model.example/chat/completions';

/** What comes of one question to a server that answers like this. */
async function asked(t, response, signal) {
  const sends = [];
  withGlobals(t, { fetch: async (url, init) => sends.push({ url, init }) && response });
  const askModel = chatModel({ url: URL, headers: { 'api-key': 'sk-1' }, body: { model: 'gpt', max_tokens: 8 } });
  const outcome = await askModel('Why?', signal).catch((error) => error);
  assert.equal(sends.length, 1);
  return { outcome, ...sends[0] };
}

const completion = (message, finish_reason) => Response.json({ choices: [{ message, finish_reason }] }, { headers: { 'x-request-id': 'r' } });

test('the question is sent with the settings, the key and the signal', async (t) => {
  const { signal } = new AbortController();
  const { url, init } = await asked(t, completion({ content: 'Because.' }, 'stop'), signal);
  assert.equal(url, URL);
  assert.equal(init.signal, signal);
  assert.equal(init.headers['api-key'], 'sk-1');
  assert.deepEqual(JSON.parse(init.body), { model: 'gpt', max_tokens: 8, messages: [{ role: 'user', content: 'Why?' }] });
});

test('the answer is passed on with its finish reason and its headers', async (t) => {
  const { outcome } = await asked(t, completion({ content: 'Beca' }, 'length'));
  assert.deepEqual([outcome.answer, outcome.finish_reason, outcome.headers.get('x-request-id')], ['Beca', 'length', 'r']);
});

test('an answer that the content filter took away is no error', async (t) => {
  const { outcome } = await asked(t, completion({ role: 'assistant' }, 'content_filter'));
  assert.deepEqual([outcome.answer, outcome.finish_reason], [null, 'content_filter']);
});

const failures = {
  'a status with a code': [Response.json({ error: { code: 'insufficient_quota' } }, { status: 429 }), 429, 'insufficient_quota'],
  'a status with a type only': [Response.json({ error: { code: null, type: 'overloaded_error' } }, { status: 529 }), 529, 'overloaded_error'],
  'a status with a page': [new Response('<h1>Bad Gateway</h1>', { status: 502 }), 502, undefined],
  'a page in place of an answer': [new Response('<h1>Sign in</h1>'), 200, undefined],
  'JSON of another shape': [Response.json({ choices: [] }), 200, undefined],
  'JSON null': [new Response('null'), 200, undefined],
};
for (const [what, [response, status, code]] of Object.entries(failures)) {
  test(`${what} is a ModelError`, async (t) => {
    const { outcome } = await asked(t, response);
    assert.ok(outcome instanceof ModelError);
    assert.deepEqual([outcome.status, outcome.code], [status, code]);
  });
}

test('an answer that breaks off is a lost connection', async (t) => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  const { outcome } = await asked(t, new Response(broken));
  assert.ok(outcome instanceof TypeError);
});
