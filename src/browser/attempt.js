// What one attempt puts into the page: a controller, and for the caller's signal one listener. And what stays when
// the headers are there: the body remains bound to the caller's signal, and to a time that the caller set.

import { NO_ANSWER, errorName, member, statusOf } from './answer.js';
import { isSteadError, timeoutError, wrongOption } from './stead_error.js';

/** `call.ended` */
export const ANSWERED = 1, FAILED = 2;
const STOPPED = 3;

/** Timers count in 32 bits; a longer time would fire at once. */
const LONGEST_TIMER_MS = 2147483647;

/** Calls `ring` when the caller aborts, until `unlisten`. */
export function listen(call, ring) {
  try {
    call.signal.addEventListener('abort', ring);
  } catch (_) {
    // Not to be listened to; `aborted` still asks it.
  }
}

export function unlisten(call, ring) {
  try {
    call.signal.removeEventListener('abort', ring);
  } catch (_) {
    // A signal that does not let go is not ours to mend.
  }
}

/** Goes on with a call in a turn of its own. */
export function later(resume, number) {
  Promise.resolve(number).then(resume);
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
    const init = Object.assign({}, call.init);
    const signal = signalFor(call, weMayStop);
    if (signal) init.signal = signal;
    const transport = call.options.fetch;
    return Promise.resolve(transport ? transport(call.input, init) : globalThis.fetch(call.input, init));
  } catch (error) {
    return Promise.reject(error);
  }
}

function signalFor(call, weMayStop) {
  const theirs = call.signal;
  const controller = weMayStop && typeof AbortController === 'function' ? new AbortController() : undefined;
  call.controller = controller;
  call.deaf = false;
  if (!controller || !theirs) return controller ? controller.signal : theirs;
  try {
    return AbortSignal.any([theirs, controller.signal]);
  } catch (_) {
    // Missing before 2023, and refuses a signal that only behaves like one: then we pass the abort on.
    call.deaf = true;
    return controller.signal;
  }
}

/** The transport resolved. Whether with something that can be an answer. */
export function answered(call, answer) {
  if (statusOf(answer) === NO_ANSWER) {
    failed(call, wrongOption('fetch', 'a function that resolves with a Response', answer));
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
  if (call.controller) call.controller.abort(limitMs === undefined ? reasonOf(call) : timeoutError(limitMs));
}

/** Whether the transport's error says that somebody stopped the request, rather than that the network failed. */
export const wasStopped = ({ error }) => isSteadError(error) || errorName(error) === 'AbortError';

/** What a call ended with when time was up: `status` and `retryAfterMs` are of the last answer seen. */
export const timedOut = ({ error }, limitMs, status, retryAfterMs) => timeoutError(limitMs, status, retryAfterMs, error);

/** After the headers; gives back the answer. `leftMs` is the rest of a time that the caller set, or undefined. */
export function handOver(call, totalMs, leftMs) {
  const { answer } = call;
  release(call, answer, totalMs, leftMs);
  return answer;
}

function release(call, answer, totalMs, leftMs) {
  const { controller, signal } = call;
  call.controller = undefined;
  // Absent means unknown, as with adapters' own answers; null means that there is nothing to read.
  if (!controller || member(answer, 'body') === null) return;
  if (call.deaf && signal) follow(signal, controller, answer);
  if (leftMs !== undefined && leftMs <= LONGEST_TIMER_MS) {
    bodies.push({ controller, totalMs, endsAt: Date.now() + leftMs });
    wind();
  }
}

// ---- without AbortSignal.any: the caller's signal may outlive thousands of calls, so the listener that passes an
// abort on to a body holds the controller weakly, and leaves with the body.

/** Keeps a controller alive as long as somebody can read the body. */
const controllers = new WeakMap();
const followers = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((leave) => leave()) : undefined;

function follow(signal, controller, answer) {
  const body = member(answer, 'body');
  // Without weak references a listener could never leave again; such browsers ended with 2020.
  if (!followers || typeof body !== 'object' || body === null) return;
  const weak = new WeakRef(controller);
  const listener = () => {
    const alive = weak.deref();
    if (alive) alive.abort(signal.reason);
  };
  signal.addEventListener('abort', listener, { once: true });
  controllers.set(answer, controller).set(body, controller);
  followers.register(body, () => signal.removeEventListener('abort', listener));
}

// ---- the deadlines of all bodies that are still under way on this page share one timer

let bodies = [];
let timer;

function wind() {
  clearTimeout(timer);
  timer = undefined;
  if (bodies.length === 0) return;
  const next = Math.min(...bodies.map((body) => body.endsAt));
  timer = setTimeout(ring, Math.max(0, next - Date.now()));
  // In Node, a body that nobody reads to its end must not keep the process alive.
  if (timer.unref) timer.unref();
}

function ring() {
  const now = Date.now();
  const over = bodies.filter((body) => body.endsAt <= now);
  bodies = bodies.filter((body) => body.endsAt > now);
  wind();
  for (const { controller, totalMs } of over) controller.abort(timeoutError(totalMs));
}
