// The options of `readAiResult` and `streamAi`; `askAi` has them, too.

import { bare, callback, checkAll, limit, number } from './snippets/options.js';
import { checkSignal, copyMembers } from './snippets/request.js';

export const READING = {
  read: callback,
  totalMs: limit,
  idleMs: limit,
  maxBytes: /* @__PURE__ */ number(1, 1073741824, 'bytes from 1 to 1073741824'),
};

/** Checked, with the defaults that do not depend on the answer. */
export function checkReading(options) {
  const given = copyMembers('options', options, Object.keys(READING));
  return bare({ totalMs: Infinity, maxBytes: 16777216, signal: checkSignal(given.signal) }, checkAll(READING, given));
}
