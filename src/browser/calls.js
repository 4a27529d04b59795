// A call from its arguments to its promise: what is settled before the engine begins, and how it ends.

import { keep, onDone, orNull } from './accounts.js';
import { ask } from './ask.js';
import { handOver, listen, reasonOf, refused, timedOut, unlisten } from './attempt.js';
import { stopListening } from './lifecycle.js';
import { putLast } from './page_state.js';
import { identify, sameOrigin } from './request.js';
import { wrongOption } from './stead_error.js';
import { onAbort, release } from './waits.js';

/** Begins a call on an engine's exports. `settled(ok, value)` is called exactly once: by `end`, or by `call.settle`. */
export function begin(exports, call, settled) {
  const heard = onAbort(call);
  call.settle = (ok, value) => {
    if (call.over) return;
    call.over = true;
    // The listeners leave before the caller hears anything.
    release(call);
    stopListening(call);
    if (call.signal) unlisten(call, heard);
    settled(ok, value);
  };
  try {
    identify(call, call.options.endpoint || nameOf(call.url));
    if (call.kind === 'ai' && !call.reads) call.ownKey = keyFor(call);
  } catch (error) {
    call.settle(false, error);
  }
  // Or the engine has stopped over one of these questions.
  if (call.over) return;
  if (call.signal) listen(call, heard);
  call.resume = (how) => exports.resume(call.number, how);
  call.number = exports[call.kind === 'sp' ? 'spFetch' : 'aiFetch'](call);
}

/** What an address is called, by the address: pages ask for the same ones again and again. */
const names = new Map();
const LONGEST_KEPT = 2000;

function nameOf(url) {
  const known = names.get(url);
  if (known !== undefined) return known;
  const name = ask('endpointOf', '{other}', url);
  if (url.length <= LONGEST_KEPT) putLast(names, url, name);
  return name;
}

/** The caller's key, or one of ours: where the caller wants it, and without a word where it costs no preflight. */
function keyFor(call) {
  const { idempotencyKey: wish } = call.options;
  if (typeof wish === 'string') return wish;
  if (wish === false || (wish === undefined && !sameOrigin(call))) return undefined;
  const key = ask('mintKey');
  if (wish && key === undefined) {
    throw wrongOption('idempotencyKey', 'a key of your own where crypto.getRandomValues is missing', wish);
  }
  return key;
}

/** How a call ended, as flow.rs counts it. */
const ANSWER = 0, ERROR = 1, TIMEOUT = 2, ABORTED = 3;

/**
 * The engine has decided how a call ends. `ms` is the limit that has passed, or how long the page is to wait before
 * anything is sent. `status` and `retryAfterMs` are of the last answer seen.
 */
export function end(call, how, ms, totalMs, waitedMs, stop, hintMs, isHidden, page, lastStatus) {
  const retryAfterMs = orNull(hintMs), status = orNull(lastStatus);
  const value = how === ANSWER ? handOver(call, totalMs)
    : how === ERROR ? call.error
      : how === TIMEOUT ? timedOut(call, ms, status, retryAfterMs)
        : how === ABORTED ? reasonOf(call) : refused(call, stop, ms, status);
  const ended = { totalMs, waitedMs, stop, retryAfterMs, retryAfterHidden: isHidden > 0, page: page || null };
  onDone(call, keep(call, value, ended));
  call.settle(how === ANSWER, value);
}
