// Waiting with an end: for somebody else's promise, or for time to pass, until a limit or the caller's signal ends it.
// Neither the timer nor the listener stays behind.

import { LONGEST_TIMER_MS, aborted, listen, reasonOf, unlisten } from './snippets/attempt.js';

/** What `promise` settles with; after `ms` a rejection with what `late` gives. */
export function bounded(call, promise, ms, late) {
  return wait(call, ms, (resolve, reject) => {
    promise.then(resolve, reject);
    return () => reject(late());
  });
}

/** Resolves when `promise` has settled, `ms` are over or the caller aborts, whichever comes first. Never rejects. */
export const settledOrLate = (promise, call, ms) => bounded(call, promise, ms, () => undefined).catch(() => {});

/** Resolves after `ms`. */
export function pause(call, ms) {
  return wait(call, ms, (resolve) => resolve);
}

/** `begin` gives what is to happen when time is up. */
function wait(call, ms, begin) {
  return new Promise((resolve, reject) => {
    let timer;
    const ending = (settle) => (value) => {
      clearTimeout(timer);
      unlisten(call, onAbort);
      settle(value);
    };
    const onAbort = () => ending(reject)(reasonOf(call));
    const onTime = begin(ending(resolve), ending(reject));
    if (aborted(call)) return onAbort();
    listen(call, onAbort);
    if (ms <= LONGEST_TIMER_MS) timer = setTimeout(onTime, ms);
  });
}
