// The attempts of a call as tools want them: with the time of day, and the name of what went wrong.

import { subscribe } from './index.js';

/** Tells `each` of every attempt of every call that has ended, in order. Gives the function that ends it. */
export function onAttempts(each) {
  return subscribe((event) => {
    if (event.type !== 'done') return;
    const { host, startedAt, info } = event;
    let before; // what `each` gave for the attempt before
    info.attempts.forEach(({ startedMs, elapsedMs, status, error }, repeats) => {
      const errorType = status >= 400 ? String(status) : error;
      before = each({ info, host, startedAt: startedAt + startedMs, elapsedMs, status, errorType, repeats }, before);
    });
  });
}
