// Bodies of AI answers: as a test wants them cut, or in the test's own hands while they are read.

import { MODEL } from './scripted_fetch.mjs';

export const POST = { method: 'POST', body: '{}' };
const bytes = (chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);

// ---- what OpenAI's chat completions look like

/** An event that carries this text. */
export const says = (text) => event({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
export const finished = (reason = 'stop') => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
export const DONE = 'data: [DONE]\n\n';
export const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
/** The error of a server that has too much to do; `more` goes into the error. */
export const overloaded = (more) => ({ error: { type: 'overloaded_error', message: 'Overloaded', ...more } });
/** An answer in one piece. */
export const completion = (text, reason = 'stop') =>
  ({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }] });

// ---- responses

/** A response whose stream has these chunks and is over then. */
export function streamOf(chunks, init = {}) {
  const left = [...chunks];
  const pull = (controller) => (left.length > 0 ? controller.enqueue(bytes(left.shift())) : controller.close());
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { 'Content-Type': 'text/event-stream' }, ...init });
}

export const jsonOf = (body, init) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' }, ...init });

/**
 * A response whose body the test holds: `push` chunks into it, `close` it, let it `fail`. `cancelled` has the reasons for
 * which it was given up, `asked` counts the chunks that were asked for.
 */
export function held(init) {
  let controller;
  const pipe = {
    cancelled: [],
    asked: 0,
    push: (...chunks) => chunks.forEach((chunk) => controller.enqueue(bytes(chunk))),
    close: () => controller.close(),
    fail: (error) => controller.error(error),
  };
  const source = {
    start: (its) => (controller = its),
    pull: () => void (pipe.asked += 1),
    cancel: (reason) => void pipe.cancelled.push(reason),
  };
  pipe.response = new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers: { 'Content-Type': 'text/event-stream' }, ...init });
  return pipe;
}

/** A step of a script: the body of `pipe`, bound to the transport's signal as fetch binds it. */
export const withBody = (pipe) => (_, { signal }) => {
  if (signal) signal.addEventListener('abort', () => pipe.fail(signal.reason));
  return pipe.response;
};

// ---- reading

/** Everything that a loop was given, and what it threw, if it did. */
export async function loop(stream, onText = () => {}) {
  const texts = [];
  try {
    for await (const text of stream) {
      texts.push(text);
      onText(text);
    }
  } catch (error) {
    return { texts, error };
  }
  return { texts };
}

/** Outcome, kind of error, text. */
export const brief = ({ outcome, errorKind, text }) => [outcome, errorKind, text];

/** As the vectors write it: `complete`, `error(server)`. */
export const labelOf = ({ outcome, errorKind }) => (outcome === 'error' ? `error(${errorKind})` : outcome);

/** What aiFetch makes of these steps, each a send. */
export const fetched = (aiFetch, fetch, init) => aiFetch(MODEL, { ...POST, ...init, fetch });
