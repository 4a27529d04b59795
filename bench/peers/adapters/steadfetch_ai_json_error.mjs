// An error in JSON is looked into before the repeat, which needs tasks of the browser's own.

import { forget, make } from './steadfetch_ai.mjs';

export { forget, make };
export const peer = { name: 'aiFetch, error in JSON', gives: 'Response', repeats: true, only: 'a repeat', jsonErrors: true };
