// What our readers find in a body that they read to its end, for those who keep count of the calls.

import { recall } from './attempt.js';
import { statusOf } from './answer.js';
import { ask } from './ask.js';
import { addBody } from './endpoints.js';

/** A body was read to its end, `ms` after its headers; NaN if the page stood still meanwhile. */
export function bodyRead(response, ms) {
  const account = recall(response);
  if (account) addBody(account.counts, account.info, ms);
}

/** What the back end, rather than the request or the reader, is to blame for. */
const FAULTS = ['server', 'overloaded', 'network', 'timeout'];

/** An answer was read: `result` is an `AiResult`. */
export function answerRead(response, { result: { outcome, errorKind }, ms }) {
  const cut = outcome === 'incomplete_stream';
  if (!cut && outcome !== 'error') return bodyRead(response, ms);
  const account = recall(response);
  const failed = FAULTS.includes(errorKind) || (cut && errorKind === null);
  // An error status was counted when it came.
  if (failed && account && account.circuit && statusOf(response) < 400) ask('bodyFailed', undefined, account.circuit);
}
