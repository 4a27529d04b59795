// OpenAI's SDK, as far as the tests use it, and answers as OpenAI gives them.

const QUESTION = { model: 'gpt', messages: [{ role: 'user', content: 'Why?' }] };

/** `SDK` is the class that the npm package `openai` exports. */
export const openai = (SDK) => ({
  SDK,
  name: 'openai',
  client: (baseURL, options) =>
    new SDK({ apiKey: 'none', baseURL, maxRetries: 0, dangerouslyAllowBrowser: true, ...options }),
  /** A promise of the SDK's own kind. */
  ask: (client, options) => client.chat.completions.create(QUESTION, options),
  stream: (client, options) => client.chat.completions.create({ ...QUESTION, stream: true }, options),
  textOf: (answer) => answer.choices[0].message.content,
  /** The text that an event of a stream brings. */
  pieceOf: (event) => event.choices[0].delta.content ?? '',

  answer: (text) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  }),
  /** Server-sent events that bring these pieces, one each, and the end. */
  events: (pieces) => [...pieces.map((content) => event({ content }, null)), `${event({}, 'stop')}data: [DONE]\n\n`],
  badRequest: { error: { message: 'No such model', type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
});

function event(delta, finish_reason) {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
