// A megabyte of an OpenAI-style chat stream: about 3,000 events of 330 bytes with a word or two each, as they come from
// the service, and its bytes cut into chunks of one size.

const WORDS = ['The', ' order', ' was', ' placed', ' on', ' Monday', ',', ' confirmed', ' on', ' Tuesday', '."\n\n', '– für', ' 10', ' €', ' it', "'s"];
const BYTES = 1_000_000;

const event = (delta, finish_reason) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
    object: 'chat.completion.chunk',
    created: 1741570283,
    model: 'gpt-4o-mini-2024-07-18',
    service_tier: 'default',
    system_fingerprint: 'fp_0392822090',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
    obfuscation: 'k3JvQ0xw',
  })}\n\n`;

/** The bytes, and the text that is in them. */
export function chatStream() {
  let text = '', body = event({ role: 'assistant', content: '', refusal: null }, null);
  for (let count = 0; body.length < BYTES; count++) {
    const content = WORDS[(count * 7) % WORDS.length];
    text += content;
    body += event({ content }, null);
  }
  return { bytes: new TextEncoder().encode(`${body}${event({}, 'stop')}data: [DONE]\n\n`), text };
}

/** An answer whose body comes in chunks of this size, each as soon as it is asked for. */
export function answer(bytes, size) {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}
