// What one attempt puts into the page: a controller. How a call hears of its caller's signal. And what stays when
// the headers are there: the body remains bound to the caller's signal, and to a time that the caller set.

import { NO_ANSWER, discarded, errorName, member, statusOf } from './answer.js';
import { SteadError, isSteadError, timeoutError, wrongOption } from './stead_error.js';

/** `call.ended` */
export const ANSWERED = 1, FAILED = 2, STOPPED = 3;

/** Timers count in 32 bits; a longer time would fire at once. */
export const LONGEST_TIMER_MS = 2147483647;

// ---- The caller's signal. It may outlive thousands of calls, and have thousands under way. So one signal of ours follows it,
// and has one listener while somebody waits: browsers look through all listeners of a signal when one comes or goes, and
// Firefox never lets go of what AbortSignal.any has made of a signal.

const followed = new WeakMap();

function follow(signal) {
  let known = followed.get(signal);
  if (known) return known;
  const rings = new Set();
  const tell = () => {
    for (const ring of [...rings]) {
      try {
        ring();
      } catch (_) {
        // A polyfill's listener may throw; the others are to hear of it.
      }
    }
  };
  let heard = signal;
  try {
    // What only behaves like a signal is refused, or taken and never followed (Node): it gets our listener.
    const own = signal instanceof AbortSignal && AbortSignal.any([signal]);
    if (own instanceof AbortSignal) heard = own;
  } catch (_) {
    // Missing before 2023.
  }
  followed.set(signal, (known = { rings, tell, heard }));
  return known;
}

/** Calls `ring` when the caller aborts, until `unlisten`. */
export function listen({ signal }, ring) {
  try {
    const { rings, tell, heard } = follow(signal);
    if (rings.size === 0) heard.addEventListener('abort', tell);
    rings.add(ring);
  } catch (_) {
    // Not to be listened to; `aborted` still asks it.
  }
}

export function unlisten({ signal }, ring) {
  try {
    const { rings, tell, heard } = followed.get(signal);
    if (rings.delete(ring) && rings.size === 0) heard.removeEventListener('abort', tell);
  } catch (_) {
    // None, or one that does not let go, which is not ours to mend.
  }
}

/** Asks the signal itself: another listener may have kept the event from us. */
export function aborted(call) {
  try {
    return call.signal !== undefined && call.signal.aborted === true;
  } catch (_) {
    return false;
  }
}

/** The caller's own reason. */
export function reasonOf(call) {
  try {
    const { reason } = call.signal;
    if (reason !== undefined) return reason;
  } catch (_) {
    // The platform's own reason stands in.
  }
  return new DOMException('The operation was aborted.', 'AbortError');
}

/** Sends once. The page's own fetch is looked up now, so that a stub or a polyfill set later is used. */
export function send(call, weMayStop) {
  try {
    // The engine has stopped while it was at work on this call: the caller was told so.
    if (call.over) throw call.error;
    const init = Object.assign({}, call.init);
    // What the caller does to a URL object while the call waits is not for this call.
    const input = call.ended && !call.isRequest ? call.url : call.input;
    const signal = signalFor(call, weMayStop);
    if (signal) init.signal = signal;
    const transport = call.options.fetch;
    return promised(transport ? transport(input, init) : globalThis.fetch(input, init));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A promise may have a `then` of its own, which calls back at once, or throws: that is heard in a turn of its own. */
const promised = (said) =>
  said instanceof Promise && said.then === Promise.prototype.then ? Promise.resolve(said) : new Promise((resolve) => resolve(said));

/** Ours, where we may have to stop; the caller's abort is passed on to it. */
function signalFor(call, weMayStop) {
  call.controller = weMayStop && typeof AbortController === 'function' ? new AbortController() : undefined;
  return call.controller ? call.controller.signal : call.signal;
}

/** The transport resolved. Whether with something that can be an answer. */
export function answered(call, answer) {
  const isNone = statusOf(answer) === NO_ANSWER;
  // A mock without a body of its own may be given out as often as it likes.
  if (isNone || (discarded.has(answer) && member(answer, 'bodyUsed') === true)) {
    failed(call, wrongOption('fetch', `a function that resolves with a ${isNone ? '' : 'new '}Response`, answer));
    return false;
  }
  call.ended = ANSWERED;
  call.answer = answer;
  return true;
}

/** The transport rejected, or the request could not be prepared. */
export function failed(call, error) {
  call.ended = FAILED;
  call.error = error;
}

/** Stops the transport: after a limit, or because the caller aborted. */
export function stop(call, limitMs) {
  call.ended = STOPPED;
  cut(call, limitMs === undefined ? reasonOf(call) : timeoutError(limitMs));
}

function cut({ controller }, reason) {
  try {
    if (controller) controller.abort(reason);
  } catch (_) {
    // A polyfill's listener may throw; the call ends all the same.
  }
  return reason;
}

/** The caller has aborted, at whatever moment: what is still under way ends, too. Gives the caller's reason. */
export const abandon = (call) => cut(call, reasonOf(call));

/** Whether the transport's error says that somebody stopped or refused the request, rather than that the network failed. */
export const wasStopped = (call) =>
  isSteadError(call.error) || errorName(call.error) === 'AbortError' || isRefused(call);

/** The page's fetch refuses a wrong header name, mode or address with the error of a network failure, and always will. */
function isRefused({ url, init, options }) {
  // What askAi puts in its place still calls the page's own.
  if ((options.fetch && !options.fetch.ofPage) || typeof Request !== 'function') return false;
  try {
    // Any base will do for a relative address. Of the body only matters whether there is one: a stream would be used up.
    const Address = globalThis.URL;
    new Request(new Address(url, 'http://localhost'), Object.assign({}, init, { body: init.body === undefined || init.body === null ? undefined : '' }));
    return false;
  } catch (_) {
    return true;
  }
}

/** What a call ended with when time was up: `status` and `retryAfterMs` are of the last answer seen. */
export const timedOut = ({ error }, limitMs, status, retryAfterMs) => timeoutError(limitMs, status, retryAfterMs, error);

/** What a call ended with that the page does not let send. `status` is of the last answer seen. */
export function refused({ error }, stop, ms, status) {
  const [code, why] = stop === 'cooling-down'
    ? ['ECOOLINGDOWN', 'The server asked this page to wait']
    : ['ECIRCUITOPEN', 'This back end has been failing and is left alone'];
  const text = `${why} for another ${Math.ceil(ms)} ms; the request was not sent.`;
  return new SteadError(code, text, { status, retryAfterMs: ms, cause: error });
}

/** `passedMs` after it began a call has its headers. Gives back the answer. */
export function handOver(call, passedMs) {
  const { answer } = call;
  // Defaults never cut a body; a time that the caller set does.
  const { totalMs = Infinity } = call.options;
  release(call, answer, totalMs, totalMs - passedMs);
  return answer;
}

function release(call, answer, totalMs, leftMs) {
  const { controller, signal } = call;
  call.controller = undefined;
  if (!controller) return;
  if (givenUp.has(answer)) return controller.abort();
  knownOf(answer).controller = controller;
  const ends = leftMs <= LONGEST_TIMER_MS;
  if (!ends && !signal) return;
  const body = member(answer, 'body');
  if (body === null) return; // there is nothing to read
  // Where there is no stream, as with adapters' own answers, it is the answer that is read.
  const read = typeof body === 'object' ? body : answer;
  const abort = weak ? abortWhileReadable(controller, read) : controller.abort.bind(controller);
  // Without weak references a listener could never leave again; such browsers ended with 2020.
  if (signal && weak) {
    const ring = () => abort(signal.reason);
    listen(call, ring);
    weak.register(read, () => unlisten({ signal }, ring));
  }
  if (ends && (body === undefined || read === body)) {
    const end = { abort, totalMs, at: Date.now() + leftMs };
    addEnd(end);
    if (weak) weak.register(read, () => dropEnd(end));
  }
}

// ---- The caller's signal and the page may outlive thousands of calls, so what binds a body to them (to the signal, and to
// the time that the caller set) holds the controller weakly, and leaves with the body.

/** Calls what was registered with a body once nobody can read that body any more. */
const weak = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((leave) => leave()) : undefined;
/** By bodies, and by answers without one, to keep them alive as long as somebody can read. */
const controllers = new WeakMap();
/**
 * By what a call ended with, answer or error: how many calls did, the account of the first, and what stops the rest of
 * the body. All in one map, since an entry costs more than a call's other objects together.
 */
const known = new WeakMap();

export function knownOf(value) {
  let found = known.get(value);
  if (!found) known.set(value, (found = { calls: 0, account: undefined, controller: undefined }));
  return found;
}

/** The account of the call that ended with this, if it is the only one that did. */
export function recall(value) {
  const { calls, account } = known.get(value) || {};
  return calls === 1 ? account : undefined;
}

/** Answers that were given up before the call had handed them over. */
const givenUp = new WeakSet();

/**
 * Nobody reads the rest of this answer. Cancelling its body is not enough: Firefox then keeps the connection, one of the
 * six that a page has to a server, until the server sends more.
 */
export function giveUp(answer, reason) {
  const { controller } = known.get(answer) || {};
  if (controller) controller.abort(reason);
  else givenUp.add(answer);
}

// A function of its own: closures made in one scope keep alive what any of them mentions.
function abortWhileReadable(controller, read) {
  controllers.set(read, controller);
  const reference = new WeakRef(controller);
  return (reason) => {
    const alive = reference.deref();
    if (alive) alive.abort(reason);
  };
}

// ---- The ends of all bodies that are still under way on this page share one timer.

const bodyEnds = new Set();
let timer;
let ringsAt = Infinity;

function addEnd(end) {
  bodyEnds.add(end);
  // Anew each time: a page's tests may have replaced the timers, and ours went with them.
  wind(Math.min(ringsAt, end.at));
}

function dropEnd(end) {
  bodyEnds.delete(end);
  if (bodyEnds.size === 0) wind(Infinity);
}

function wind(at) {
  clearTimeout(timer);
  timer = undefined;
  ringsAt = at;
  if (at === Infinity) return;
  timer = setTimeout(ring, Math.max(0, at - Date.now()));
  // In Node, a body that nobody reads to its end must not keep the process alive.
  if (timer.unref) timer.unref();
}

function ring() {
  const now = Date.now();
  const over = [];
  let next = Infinity;
  for (const end of bodyEnds) {
    if (end.at <= now) over.push(end);
    else next = Math.min(next, end.at);
  }
  for (const end of over) bodyEnds.delete(end);
  wind(next);
  for (const { abort, totalMs } of over) abort(timeoutError(totalMs));
}
