// A model behind OpenAI's chat completions, as Azure OpenAI and many others serve it. It asks once and repeats nothing:
// one layer repeats, and that is the client's aiFetch.

import { ModelError } from './failure.js';

/** An `askModel` for ask.js. `body` is sent beside the messages: `{ model: '…', max_tokens: 800 }`. */
export function chatModel({ url, headers, body }) {
  return async function askModel(question, signal) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, messages: [{ role: 'user', content: question }] }),
      signal,
    });
    if (!response.ok) throw new ModelError(response.status, { headers: response.headers, code: await codeIn(response) });
    const [choice] = parsed(await response.text())?.choices ?? [];
    if (!choice?.message) throw new ModelError(response.status); // a page, or a shape unknown
    return { answer: choice.message.content ?? null, finish_reason: choice.finish_reason, headers: response.headers };
  };
}

/** `{ "error": { "code": "insufficient_quota" } }` → `"insufficient_quota"` */
async function codeIn(response) {
  const error = parsed(await response.text().catch(() => ''))?.error;
  return error?.code ?? error?.type;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
