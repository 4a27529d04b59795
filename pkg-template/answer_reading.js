// An answer on its way: the body's chunks go into the reader of the module `answers`, the text that came with each comes out
// with it, and at the end there is a result.

import { CANCELLED, CLOSED, openBody, stopwatch } from './body.js';
import { answers } from './extras.js';
import { recall } from './snippets/attempt.js';
import { text } from './snippets/answer.js';
import { quietly } from './snippets/events.js';
import { bare } from './snippets/options.js';

/** `options` are those of `checkReading`, or of `askAi`. Throws `EOPTION`, and `EENGINE` here or with the first piece. */
export function openAnswer(response, options) {
  const module = answers();
  return typeof module.then === 'function' ? later(module, response, options) : begin(module, response, options);
}

/** Until the js engine is there nothing is read, and if it does not come, nothing was. */
function later(module, response, options) {
  let reading, cancelled = false;
  const begun = module.then((exports) => (reading = begin(exports, response, options)));
  begun.catch(() => {}); // heard with the first piece
  return {
    get result() {
      return reading && reading.result;
    },
    get ms() {
      return reading.ms;
    },
    async next(wantsText) {
      await begun;
      if (cancelled) reading.cancel();
      return reading.next(wantsText);
    },
    cancel() {
      cancelled = true;
      if (reading) reading.cancel();
    },
  };
}

function begin({ AnswerReader }, response, options) {
  const { read, maxBytes } = options;
  const account = recall(response) || bare();
  const idleMs = options.idleMs || account.idleMs || 60000;
  const body = openBody(response, bare(options, { idleMs }), account.signal, take);
  const elapsed = stopwatch();
  /** Undefined once there is nothing more to be had. */
  let reader;
  /** The caller has heard why there is no more. */
  let said = false;
  let wantsText, come;

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
  const takeText = () => {
    if (wantsText) come += reader.text() || '';
  };
  /** Of each chunk; whether it ended something or brought text. */
  function take(chunk) {
    if (!reader.push(chunk)) body.end(CLOSED);
    if (read) consult();
    takeText();
    return come !== '' || body.ended !== undefined;
  }
  const answer = {
    /** `AiResult`, once the end is reached. */
    result: undefined,
    /** Milliseconds that the reading took; NaN if the machine slept meanwhile. */
    ms: 0,
    /**
     * A promise of the next piece of the text, or of undefined at the end. An abort rejects it, once, with the caller's
     * reason. One at a time.
     */
    async next(text = true) {
      wantsText = text;
      try {
        while (reader) {
          come = '';
          await body.next();
          if (body.ended !== undefined) {
            conclude();
            takeText();
            stop();
          }
          if (come !== '') return come;
        }
        if (body.reason === undefined || said) return undefined;
        said = true;
        throw body.reason;
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
  try {
    reader = new AnswerReader(response, read !== undefined, maxBytes, Date.now());
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
