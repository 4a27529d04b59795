// An OpenAI-style stream for the lab server, and the ear of a page that listens to one.

/** An event with a piece of text, or with the reason why there is no more. */
export function event(text, reason = null) {
  const choice = { index: 0, delta: reason ? {} : { content: text }, finish_reason: reason };
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [choice] })}\n\n`;
}

export const STOP = event('', 'stop');
export const DONE = 'data: [DONE]\n\n';

/** The script's step for a stream of such pieces. */
export const stream = (chunks, more = {}) => ({ headers: { 'Content-Type': 'text/event-stream' }, chunks, ...more });

/** What a loop over `streamAi` is given, piece by piece; `thrown` is there if it did not end normally. */
export async function listen(answer, each = () => {}) {
  const heard = { pieces: [] };
  try {
    for await (const text of answer) {
      heard.pieces.push(text);
      await each(text);
    }
  } catch (error) {
    heard.thrown = error;
  }
  return heard;
}
