// What the client gets to read instead of an answer, and whether it may repeat its question. Clients such as aiFetch
// repeat 429, 502, 503, 504 and 529. So a 504 would be wrong for a model that was too slow: it is paid for already, and
// would be paid for again. 500 is final, and ask.js adds `x-should-retry: false` for clients that repeat that, too.

import { TimeUp } from './deadline.js';
import { passedOn } from './passed_on.js';

/** Thrown by `askModel` for an answer that is none. `code` is the model's own word for it, such as insufficient_quota. */
export class ModelError extends Error {
  name = 'ModelError';
  constructor(status, { headers, code } = {}) {
    super(`the model answered ${status}`);
    Object.assign(this, { status, headers, code: plain(code) });
  }
}

/** An answer in our own words: what the model or the network said may hold addresses and keys. */
export function refusal(status, code, message, headers) {
  return { status, headers, jsonBody: { error: { code, message } } };
}

/** The model's own words that concern the client: it did no work, and says why. */
const MODEL_SAYS = {
  400: 'The model did not accept this question.',
  429: 'The model has too many questions to answer. Please try again later.',
  503: 'The model cannot be reached for the moment.',
  529: 'The model is overloaded.',
};
/** Somebody in between gave up. */
const GATEWAY = [408, 502, 504];

/** The answer to a failed call of the model; `worked` says that the model may have been paid. */
export function failureOf(error, { slow }) {
  if (error instanceof TimeUp) {
    return { answer: refusal(500, 'model_too_slow', 'The model took too long to answer.'), worked: true };
  }
  const { status, headers, code } = error instanceof ModelError ? error : {};
  if (status in MODEL_SAYS) {
    return { answer: refusal(status, code ?? 'model_refused', MODEL_SAYS[status], passedOn(headers)) };
  }
  if (status !== undefined && !GATEWAY.includes(status)) {
    // 401, 404 and the like are about this function's own settings, and no business of the client's. A 200 is an answer
    // that could not be read.
    return { answer: refusal(500, 'model_failed', 'The model gave no answer that can be used.'), worked: status === 200 };
  }
  // A lost connection, or a gateway's word. After a while nobody knows whether the model went on.
  if (slow) return { answer: refusal(500, 'model_lost', 'The model\'s answer was lost.'), worked: true };
  return { answer: refusal(502, 'model_unreachable', 'The model could not be reached.') };
}

/** A code of words. What has digits or signs in it might be a key. */
function plain(code) {
  return /^[a-z_]{1,64}$/i.test(code ?? '') ? code : undefined;
}
