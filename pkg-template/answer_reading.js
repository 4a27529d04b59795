// An answer on its way: the body's chunks go into the reader of the second module, the text that came with each comes out
// with it, and at the end there is a result.

import { CANCELLED, CLOSED, openBody } from './body.js';
import { extras } from './extras.js';
import { member, text } from './snippets/answer.js';
import { recall } from './snippets/accounts.js';
import { monotonicNow } from './snippets/request.js';

/** `options` are those of `checkReading`, or of `askAi`. Throws `EOPTION` and `EENGINE`. */
export function openAnswer(response, options) {
  const { AnswerReader } = extras();
  const { read, maxBytes } = options;
  const account = recall(response);
  const idleMs = options.idleMs || (account && account.idleMs) || 60000;
  const body = openBody(response, { totalMs: options.totalMs, idleMs, signal: options.signal }, account && account.signal);
  const beganAt = monotonicNow();
  let reader = new AnswerReader(response, read !== undefined, maxBytes, Date.now());
  /** The caller has heard why there is no more. */
  let said = false;

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
    const rest = reader.text();
    answer.ms = monotonicNow() - beganAt;
    letGo();
    return rest;
  };
  const letGo = () => {
    const done = reader;
    reader = undefined;
    try {
      if (done) done.free();
    } catch (_) {
      // Its instance has stopped, and the memory went with it.
    }
  };
  const step = async (wantsText) => {
    while (reader) {
      const chunk = await body.next();
      if (chunk && !reader.push(chunk)) body.end(CLOSED);
      consult();
      const come = body.ended === undefined ? wantsText && reader.text() : (wantsText && reader.text() || '') + (conclude() || '');
      if (come) return come;
    }
    if (body.reason !== undefined && !said) throw body.reason;
    return undefined;
  };

  const answer = {
    /** `AiResult`, once the end is reached. */
    result: undefined,
    /** Milliseconds that the reading took. */
    ms: 0,
    /** A promise of the next piece of the text, or of undefined at the end. An abort rejects it with the caller's reason. */
    async next(wantsText = true) {
      try {
        return await step(wantsText);
      } catch (error) {
        // An abort, or the reader stopped: there is nothing more to be had.
        said = true;
        body.end(CANCELLED);
        letGo();
        throw error;
      }
    },
    /** Nobody wants the rest. */
    cancel() {
      body.end(CANCELLED);
    },
  };
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
  try {
    const said = read(body);
    const told = { text: text(said, 'text'), finishReason: text(said, 'finishReason') };
    return told.text === undefined ? undefined : told;
  } catch (_) {
    return undefined;
  }
}
