// The wait for the js engine, a file that may take its time or never come.

import { aborted, listen, unlisten } from './snippets/attempt.js';

const PATIENCE_MS = 10000;

/** Until the promise settles, ten seconds are over, or the caller aborts, whichever comes first. Never rejects. */
export const settledOrLate = (promise, caller = {}) => new Promise((resolve) => {
  const timer = setTimeout(end, PATIENCE_MS);
  function end() {
    clearTimeout(timer);
    unlisten(caller, end);
    resolve();
  }
  listen(caller, end);
  if (aborted(caller)) end();
  promise.then(end, end);
});
