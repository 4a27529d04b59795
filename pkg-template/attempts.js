// The attempts of a call as tools want them: with the time of day, and the name of what went wrong.

import { SteadError, subscribe } from './index.js';

/** `EOPTION` for what a tool's function was given. */
export const wrong = (name, allowed) => new SteadError('EOPTION', `\`${name}\` must be ${allowed}.`);

/** Tells `each` of every attempt of every call that has ended, in order. Gives the function that ends it. */
export function onAttempts(each) {
  return subscribe((event) => {
    if (event.type !== 'done') return;
    const { host, startedAt, info } = event;
    let before; // what `each` gave for the attempt before
    info.attempts.forEach(({ startedMs, elapsedMs, status, error }, repeats) => {
      const errorType = status >= 400 ? String(status) : error;
      before = each({ info, host, startedAt: startedAt + startedMs, elapsedMs, status, errorType, repeats }, before);
      // A tool that gives a promise is not waited for, and breaks nothing.
      if (before && typeof before.then === 'function') before.then(undefined, () => {});
    });
  });
}
