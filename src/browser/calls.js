// A call from its arguments to its promise: what is settled before the engine begins, and how it ends.

import { DECISIONS, keep, onDone, orNull } from './accounts.js';
import { ask } from './ask.js';
import { abandon, handOver, listen, refused, timedOut, unlisten } from './attempt.js';
import { stopListening } from './lifecycle.js';
import { PAGES } from './page.js';
import { putLast } from './page_state.js';
import { baseOf, monotonicNow, originOf, sameOrigin } from './request.js';
import { wrongOption } from './stead_error.js';
import { onAbort, release } from './waits.js';
import { asleepMs } from './watch.js';

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
    identify(call);
    if (call.kind === 'ai' && !call.reads) call.ownKey = keyFor(call);
  } catch (error) {
    call.settle(false, error);
  }
  // Or the engine has stopped over one of these questions.
  if (call.over) return;
  if (call.signal) listen(call, heard);
  // Both clocks, and how long the page is known to have stood still: it is now until the call waits again.
  call.resume = (how) => exports.resume(call.number, how, call.now, Date.now(), asleepMs(call.now));
  call.now = monotonicNow();
  call.number = exports[call.kind === 'sp' ? 'spFetch' : 'aiFetch'](call, call.now, Date.now(), asleepMs(call.now));
}

/** By what a call is known on the page. */
function identify(call) {
  const { kind, options, url } = call;
  const { origin, endpoint, key } = options.endpoint ? placed(originOf(url), options.endpoint) : placeOf(url);
  call.origin = origin;
  call.endpoint = endpoint;
  call.circuitKey = (options.circuit && options.circuit.key) || key;
  // spFetch cools down by origin, aiFetch by back end.
  call.gateKey = kind === 'sp' ? origin : call.circuitKey;
}

const placed = (origin, endpoint, base) => ({ origin, endpoint, key: origin + endpoint, base });

/** By addresses: pages ask for the same ones again and again. */
const places = new Map();
const LONGEST_KEPT = 2000;

function placeOf(url) {
  const known = places.get(url), base = baseOf(url);
  if (known !== undefined && known.base === base) return known;
  const place = placed(originOf(url), ask('endpointOf', '{other}', url), base);
  if (url.length <= LONGEST_KEPT) putLast(places, url, place);
  return place;
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
        : how === ABORTED ? abandon(call) : refused(call, DECISIONS[stop], ms, status);
  const ended = {
    totalMs, waitedMs, stop: DECISIONS[stop], retryAfterMs, retryAfterHidden: isHidden > 0, page: page < 0 ? null : PAGES[page],
  };
  onDone(call, keep(call, value, ended));
  call.settle(how === ANSWER, value);
}
