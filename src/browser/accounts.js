// The account of a call in JavaScript's own objects, and where it is found again by the Response or the error that
// the call ended with. It lives and goes with that object, which itself is never changed.

import { discarded, errorName } from './answer.js';
import { ANSWERED, FAILED, STOPPED, send as sendOnce } from './attempt.js';
import { count } from './endpoints.js';
import { emit, isHeard, quietly } from './events.js';

const accounts = new WeakMap();

/** `AttemptInfo` of the public contract. */
export function addAttempt(call, startedMs, elapsedMs, allowedMs, status, error, suspended, waitMs, decision) {
  call.attempts.push({
    startedMs, elapsedMs, allowedMs: orNull(allowedMs), status: orNull(status), error: orNull(error), suspended,
    waitMs: orNull(waitMs), decision,
  });
}

/**
 * What is kept of a call that ended with `value`: everything but what can still be read off the answer when somebody
 * asks.
 */
export function keep(call, value, totalMs, waitedMs, stop, retryAfterMs, retryAfterHidden, page, write) {
  const { kind, method, endpoint, key, attempts, answer, options, signal, url, circuitKey } = call;
  const kept = {
    // A SharePoint write may have been applied, whatever came back.
    answer, write, counts: undefined,
    // For our own readers of the body.
    idleMs: options.idleMs, signal,
    // Of the call itself, which must not be kept alive, what its circuit needs.
    circuit: kind === 'ai' ? { options, url, circuitKey } : undefined,
    info: {
      kind, method, endpoint, attempts, totalMs, waitedMs, stop, retryAfterMs: orNull(retryAfterMs),
      retryAfterHidden, rateLimit: null, correlationId: null, page: orNull(page), idempotencyKey: orNull(key),
    },
  };
  kept.counts = count(call, kept.info);
  call.wantsInfo = call.options.onDone !== undefined || isHeard();
  // An object that two calls ended with has no account any more.
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) accounts.set(value, accounts.has(value) ? undefined : kept);
  return kept;
}

export const recall = (of) => accounts.get(of);

/** The finished `CallInfo`, a new one for everybody who asks: what is read late is filled in. */
export function finish({ info }, rateLimit, correlationId) {
  const attempts = info.attempts.map((attempt) => Object.assign({}, attempt));
  return Object.assign({}, info, { attempts, rateLimit, correlationId: orNull(correlationId) });
}

// ---- the caller's listeners, and those of `subscribe`

/** Sends once, and tells. */
export function send(call, weMayStop) {
  const sent = sendOnce(call, weMayStop);
  const { kind, method, endpoint } = call;
  const attempt = (call.sends = (call.sends || 0) + 1);
  if (isHeard()) emit({ type: 'attempt', kind, method, endpoint, attempt });
  return sent;
}

/** `shouldRetry`: anything but a boolean keeps the rule, a promise, say. */
export function shouldRetry(call, attempt, elapsedMs, status) {
  const said = tell(call, 'shouldRetry', context(call, attempt, elapsedMs, status));
  return typeof said === 'boolean' ? said : undefined;
}

export function onRetry(call, attempt, elapsedMs, status, delayMs, retryAfterMs, reason) {
  const wait = { delayMs, retryAfterMs: orNull(retryAfterMs), reason };
  tell(call, 'onRetry', Object.assign(context(call, attempt, elapsedMs, status), wait));
  if (!isHeard()) return;
  const { kind, method, endpoint, ended, error } = call;
  const errorType = ended === FAILED ? errorName(error) : ended === STOPPED ? 'TimeoutError' : null;
  emit(Object.assign({ type: 'retry', kind, method, endpoint, attempt, elapsedMs, status: orNull(status), errorType }, wait));
}

/** `host` is a template. What is told to everybody lacks the key: whoever has it can ask for the answer. */
export function onDone(call, info, host) {
  if (isHeard()) {
    const event = { type: 'done', host, startedAt: Date.now() - info.totalMs, info: Object.assign({}, info) };
    delete event.info.idempotencyKey;
    emit(event);
  }
  tell(call, 'onDone', info);
}

/** `RetryContext` of the public contract. */
function context({ kind, method, endpoint, ended, answer, error }, attempt, elapsedMs, status) {
  return {
    kind, method, endpoint, attempt, elapsedMs, status: orNull(status),
    error: ended === FAILED ? error : null,
    response: ended === ANSWERED && !discarded.has(answer) ? answer : null,
  };
}

/** Taken out first: it is called without a `this` of ours. */
function tell({ options }, name, event) {
  const listener = options[name];
  return listener && quietly(listener, event);
}

const orNull = (value) => (value === undefined ? null : value);
