// Anthropic's SDK, as far as the tests use it, and answers as Anthropic gives them.

const QUESTION = { model: 'claude', max_tokens: 8, messages: [{ role: 'user', content: 'Why?' }] };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** `SDK` is the class that the npm package `@anthropic-ai/sdk` exports. */
export const anthropic = (SDK) => ({
  SDK,
  name: '@anthropic-ai/sdk',
  client: (baseURL, options) =>
    new SDK({ apiKey: 'none', baseURL, maxRetries: 0, dangerouslyAllowBrowser: true, ...options }),
  /** A promise of the SDK's own kind. */
  ask: (client, options) => client.messages.create(QUESTION, options),
  stream: (client, options) => client.messages.create({ ...QUESTION, stream: true }, options),
  textOf: (answer) => answer.content[0].text,
  /** The text that an event of a stream brings. */
  pieceOf: (event) => (event.type === 'content_block_delta' ? event.delta.text : ''),

  answer: (text) => ({ ...MESSAGE, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: USAGE }),
  /** Server-sent events that bring these pieces, one each, and the end. */
  events: (pieces) => [
    event('message_start', { message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } }) +
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }) +
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE }) +
      event('message_stop', {}),
  ],
  badRequest: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too many' } },
});

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
