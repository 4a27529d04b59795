// The account of a call in JavaScript's own objects, and where it is found again by the Response or the error that
// the call ended with. It lives and goes with that object, which itself is never changed.

import { discarded, errorName, field } from './answer.js';
import { ask } from './ask.js';
import { ANSWERED, FAILED, STOPPED, knownOf, recall, send as sendOnce } from './attempt.js';
import { count } from './endpoints.js';
import { emit, hostOf, isHeard, quietly } from './events.js';

/** The engine's numbers are negative where there is none, and its times infinite where there is no limit. */
export const orNull = (number) => (number >= 0 && number < Infinity ? number : null);

// Words of the public contract, in the order in which the engine counts them: a number crosses for a tenth of what a text
// costs, and a word lies here in a third of the bytes.

/** `Stop` of judge.rs; the last is an attempt's decision where it was repeated. */
export const DECISIONS = [
  'success', 'final-status', 'unsafe-method', 'slow-failure', 'no-retries-left', 'retry-budget', 'wait-exceeds-time-left',
  'timeout', 'aborted', 'body-not-replayable', 'circuit-open', 'cooling-down', 'vetoed', 'stacked-retries', 'network',
  'not-sent', 'retry',
];
/** `Reason` of host.rs. */
const REASONS = ['throttled', 'transient', 'network', 'still-running', 'cooling-down', 'circuit-open'];

/** Why there was no answer, as account.rs counts it. */
const NO_FAULT = 0, TRANSPORT = 1, TIMED_OUT = 2;

/** `AttemptInfo` of the public contract. */
export function addAttempt(call, startedMs, elapsedMs, allowedMs, status, fault, suspended, waitMs, decision) {
  const error = fault === NO_FAULT ? null
    : fault === TRANSPORT ? errorName(call.error) : fault === TIMED_OUT ? 'TimeoutError' : 'AbortError';
  call.attempts.push({
    startedMs, elapsedMs, allowedMs: orNull(allowedMs), status: orNull(status), error, suspended: suspended > 0,
    waitMs: orNull(waitMs), decision: DECISIONS[decision],
  });
}

/**
 * What is kept of a call that `ended` with `value`: everything but what can still be read off the answer when somebody
 * asks.
 */
export function keep(call, value, ended) {
  const { kind, method, endpoint, key = null, attempts, answer, options, signal, origin, circuitKey } = call;
  const kept = {
    // A SharePoint write may have been applied, whatever came back.
    answer, write: kind === 'sp' && !call.reads, counts: undefined,
    // For our own readers of the body.
    idleMs: options.idleMs, signal,
    // Of the call itself, which must not be kept alive, what its circuit needs.
    circuit: kind === 'ai' ? { options, origin, circuitKey } : undefined,
    info: Object.assign({ kind, method, endpoint, attempts, idempotencyKey: key }, ended),
  };
  kept.counts = count(call, kept.info);
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
    const found = knownOf(value);
    // An object that two calls ended with has no account any more.
    found.account = found.calls++ === 0 ? kept : undefined;
  }
  return kept;
}

/** In the order in which they are looked for. */
const CORRELATION_IDS = ['sprequestguid', 'request-id', 'x-ms-request-id', 'apim-request-id'];
/** One word; whatever else a server puts there is not handed on. */
const isId = (text) => /^[\w\-.:|{}]{0,128}$/.test(text);

/** `CallInfo` of the public contract, a new one for everybody who asks: what is read late is filled in. */
function infoOf({ info, answer }) {
  const attempts = info.attempts.map((attempt) => Object.assign({}, attempt));
  const correlationId = CORRELATION_IDS.map((name) => field(answer, name)).find((id) => id !== undefined && isId(id));
  return Object.assign({}, info, {
    attempts, rateLimit: ask('readRateLimit', null, answer), correlationId: correlationId === undefined ? null : correlationId,
  });
}

export function getCallInfo(of) {
  const kept = recall(of);
  return kept && infoOf(kept);
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
  return typeof said === 'boolean' ? Number(said) : -1;
}

export function onRetry(call, attempt, elapsedMs, status, delayMs, hintMs, reason) {
  const wait = { delayMs, retryAfterMs: orNull(hintMs), reason: REASONS[reason] };
  tell(call, 'onRetry', Object.assign(context(call, attempt, elapsedMs, status), wait));
  if (!isHeard()) return;
  const { kind, method, endpoint, ended, error } = call;
  const errorType = ended === FAILED ? errorName(error) : ended === STOPPED ? 'TimeoutError' : null;
  emit(Object.assign({ type: 'retry', kind, method, endpoint, attempt, elapsedMs, status: orNull(status), errorType }, wait));
}

/** What is told to everybody lacks the key: whoever has it can ask for the answer. */
export function onDone(call, kept) {
  if (!call.options.onDone && !isHeard()) return;
  const info = infoOf(kept);
  if (isHeard()) {
    const event = { type: 'done', host: hostOf(call), startedAt: Date.now() - info.totalMs, info: Object.assign({}, info) };
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
