// The server's half of the bargain with `aiFetch`: an HTTP function in front of a slow model that answers in time, says
// honestly what may be repeated, and asks the model once for one question. README.md beside this file tells what each
// side promises. `app.http('ask', { …, handler: createAsk({ askModel, origins }) })`

import { corsHeaders, mayAsk } from './cors.js';
import { startDeadline, within } from './deadline.js';
import { failureOf, refusal } from './failure.js';
import { callerOf, fingerprint, keyOf, memoryKeys } from './idempotency.js';
import { passedOn } from './passed_on.js';

const DEFAULTS = {
  ownMs: 215_000, // for everything; the platform's load balancer ends a request after 230 s
  replyMs: 1_000, // of the client's time is left for the way back, so that our answer arrives before it gives up
  minModelMs: 5_000, // with less time left the model is not asked
  slowAfterMs: 5_000, // a failure that took longer was worked on, and paid for: it must not be repeated
  pollAfterMs: 2_000, // when a client should ask again for an answer that is still being made
  keepAnswerMs: 600_000, // so long a repeat gets the answer that was made
  keepFailureMs: 30_000, // a failure only for those who poll: a person who tries again may get a better one
};

/**
 * A handler for `app.http`, that takes POST and OPTIONS.
 *
 * - `askModel(question, signal)` resolves with `{ answer, finish_reason, headers? }`; see model.js.
 * - `origins` lists the pages that may ask: `['https://contoso.sharepoint.com']`.
 * - `signIn: true` refuses whom App Service has not signed in. CORS keeps strange pages away, but not strange programs.
 * - `keys` remembers idempotency keys. The memory of one instance is for one instance; see idempotency.js.
 */
export function createAsk({ askModel, origins, signIn = false, keys = memoryKeys(), ...limits }) {
  const { ownMs, replyMs, minModelMs, slowAfterMs, pollAfterMs, keepAnswerMs, keepFailureMs } = { ...DEFAULTS, ...limits };

  return async function ask(request, context) {
    const deadline = startDeadline(request.headers, { ownMs, replyMs });
    const { status, headers, jsonBody } = await respond(request, context, deadline).catch((error) => {
      log(context, 'the function failed', error);
      return refusal(500, 'function_failed', 'Something went wrong on the server.');
    });
    const final = status === 500 ? { 'x-should-retry': 'false' } : {}; // failure.js says why it is 500
    const always = { ...corsHeaders(request.headers, origins), 'request-id': context.invocationId };
    return { status, headers: { ...headers, ...final, ...always }, jsonBody };
  };

  async function respond(request, context, deadline) {
    if (!mayAsk(request.headers, origins)) return refusal(403, 'origin_not_allowed', 'This page may not ask here.');
    if (request.method === 'OPTIONS') return { status: 204 }; // a preflight: its answer is in the CORS headers
    if (signIn && !callerOf(request.headers)) return refusal(401, 'sign_in', 'Please sign in.');
    const body = await request.text();
    const question = questionIn(body);
    if (question === null) return refusal(400, 'no_question', 'Please send JSON such as { "question": "…" }.');
    const key = keyOf(request.headers);
    if (key === null) return (await consult(question, context, deadline)).answer;

    const known = await keys.begin(key, fingerprint(body));
    if (known.state === 'answered') return { ...known.answer, headers: { 'idempotency-replayed': 'true' } };
    if (known.state === 'other-body') return refusal(422, 'key_reused', 'This idempotency key belongs to another question.');
    if (known.state === 'running') return stillRunning();

    const { answer, keepMs } = await consult(question, context, deadline);
    const { status, jsonBody } = answer; // the model's headers speak of this moment
    const note = keepMs ? keys.finish(key, { status, jsonBody }, keepMs) : keys.forget(key);
    // Whatever becomes of the note, the answer is paid for and is given.
    await note.catch((error) => log(context, 'the key could not be noted', error));
    return answer;
  }

  /**
   * Asks the model, and never throws. With `keepMs`, who sends the question again gets this answer: a model that has
   * worked is not asked again, be it that it answered or was too slow. Other failures are forgotten, and may be repeated.
   */
  async function consult(question, context, deadline) {
    if (deadline.leftMs() < minModelMs) {
      return { answer: refusal(500, 'deadline_nearly_spent', 'There was too little time left to ask the model.') };
    }
    const began = deadline.elapsedMs();
    try {
      // It goes on if the client leaves: the answer waits for the client's repeat.
      const { answer, finish_reason, headers } = await within(deadline.leftMs(), (signal) => askModel(question, signal));
      const jsonBody = { answer, finish_reason }; // both as the model said them: "length" is half an answer
      return { answer: { status: 200, headers: passedOn(headers), jsonBody }, keepMs: keepAnswerMs };
    } catch (error) {
      log(context, 'the model gave no answer', error);
      const { answer, worked } = failureOf(error, { slow: deadline.elapsedMs() - began >= slowAfterMs });
      return { answer, keepMs: worked && keepFailureMs };
    }
  }

  function stillRunning() {
    const hints = { 'retry-after': `${Math.ceil(pollAfterMs / 1_000)}`, 'retry-after-ms': `${pollAfterMs}` };
    return refusal(409, 'still_running', 'This question is still being answered.', hints);
  }
}

/** Names only, since a message may hold an address or a key. */
function log(context, what, error) {
  const { name, status, code, cause } = Object(error);
  context.error(`ask: ${what}: ${[name, status, code, cause?.code].filter(Boolean).join(' ')}`);
}

function questionIn(body) {
  try {
    const { question } = JSON.parse(body);
    return typeof question === 'string' && question.trim() ? question : null;
  } catch {
    return null;
  }
}
