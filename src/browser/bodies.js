// What our readers find in a body that they read to its end, for those who keep count of the calls.

import { recall } from './accounts.js';
import { statusOf } from './answer.js';

let listener;

/** There is one: the engine, once it runs. */
export function whenBodyEnds(hears) {
  listener = hears;
}

/** What the back end, rather than the request or the reader, is to blame for. */
const FAULTS = ['server', 'overloaded', 'network', 'timeout'];

/** `result` is an `AiResult`; `ms` is the time from the headers to the end. */
export function bodyEnded(response, { result: { outcome, errorKind }, ms }) {
  const account = recall(response);
  // An error status was counted when it came.
  if (!account || !listener || statusOf(response) >= 400) return;
  const cut = outcome === 'incomplete_stream' && errorKind === null;
  listener(account, cut || FAULTS.includes(errorKind), ms);
}
