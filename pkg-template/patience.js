// The wait for the js engine, a file that may take its time or never come.

import { bounded } from './bounded.js';

const PATIENCE_MS = 10000;

/** Until the promise settles, ten seconds are over, or the caller aborts, whichever comes first. Never rejects. */
export const settledOrLate = (promise, caller = {}) => bounded(caller, promise, PATIENCE_MS, () => undefined).catch(() => {});
