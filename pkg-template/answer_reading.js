// An answer on its way: the body's chunks go into the reader of the second module, the text that came with each comes out
// with it, and at the end there is a result.

import { CANCELLED, CLOSED, openBody, stopwatch } from './body.js';
import { extras } from './extras.js';
import { recall } from './snippets/accounts.js';
import { text } from './snippets/answer.js';
import { quietly } from './snippets/events.js';

/** `options` are those of `checkReading`, or of `askAi`. Throws `EOPTION`, and `EENGINE` here or with the first piece. */
export function openAnswer(response, options) {
  const module = extras();
  const { read, maxBytes } = options;
  const account = recall(response) || {};
  const idleMs = options.idleMs || account.idleMs || 60000;
  const body = openBody(response, Object.assign({}, options, { idleMs }), account.signal);
  const elapsed = stopwatch();
  /** Undefined once there is nothing more to be had, and while the js engine is on its way. */
  let reader;
  const begin = ({ AnswerReader }) => {
    reader = new AnswerReader(response, read !== undefined, maxBytes, Date.now());
  };
  /** The caller has heard why there is no more. */
  let said = false;

  const stop = () => {
    body.end(CANCELLED);
    const done = reader;
    reader = undefined;
    if (done) done.free();
  };
  /** The caller's own `read` is asked about each body or event that has come. */
  const consult = () => {
    for (let written; (written = reader.ask()) !== undefined; ) {
      const told = sayOf(read, written);
      if (told) reader.tell(told.text, told.finishReason);
      else reader.pass();
    }
  };
  const conclude = () => {
    reader.end();
    consult();
    answer.result = reader.finish(body.ended);
    answer.ms = elapsed.awake();
  };
  const step = async (wantsText) => {
    if (coming) await coming;
    coming = undefined;
    while (reader) {
      const chunk = await body.next();
      if (chunk && !reader.push(chunk)) body.end(CLOSED);
      consult();
      if (body.ended !== undefined) conclude();
      const come = wantsText ? reader.text() : undefined;
      if (answer.result) stop();
      if (come !== undefined) return come;
    }
    if (body.reason === undefined || said) return undefined;
    said = true;
    throw body.reason;
  };

  const answer = {
    /** `AiResult`, once the end is reached. */
    result: undefined,
    /** Milliseconds that the reading took; NaN if the machine slept meanwhile. */
    ms: 0,
    /**
     * A promise of the next piece of the text, or of undefined at the end. An abort rejects it, once, with the caller's
     * reason. One at a time.
     */
    async next(wantsText = true) {
      try {
        return await step(wantsText);
      } catch (error) {
        stop();
        throw error;
      }
    },
    /** Nobody wants the rest: the next piece is the last. */
    cancel() {
      body.end(CANCELLED);
    },
  };
  let coming;
  try {
    if (typeof module.then === 'function') {
      coming = module.then(begin);
      coming.catch(() => {}); // heard with the first piece
    } else begin(module);
  } catch (error) {
    stop();
    throw error;
  }
  return answer;
}

/** What the caller's `read` makes of a body or event; a throw, or anything that has no text, is "not mine". */
function sayOf(read, written) {
  let body = written;
  try {
    body = JSON.parse(written);
  } catch (_) {
    // Words.
  }
  const said = quietly(read, body);
  const told = { text: text(said, 'text'), finishReason: text(said, 'finishReason') };
  return told.text === undefined ? undefined : told;
}
