// The wait for the js engine, a file that may take its time or never come.

import { settledOrLate } from './bounded.js';

const PATIENCE_MS = 10000;

/** Until it is there or cannot be had; no longer than ten seconds, or until the caller aborts. Never rejects. */
export const engineLoaded = (promise, caller = {}) => settledOrLate(promise, caller, PATIENCE_MS);
