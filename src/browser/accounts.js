// The account of a call in JavaScript's own objects, and where it is found again by the Response or the error that
// the call ended with. It lives and goes with that object, which itself is never changed.

const accounts = new WeakMap();

/** `AttemptInfo` of the public contract. */
export function addAttempt(call, startedMs, elapsedMs, allowedMs, status, error, suspended, waitMs, decision) {
  call.attempts.push({
    startedMs, elapsedMs, allowedMs: orNull(allowedMs), status: orNull(status), error: orNull(error), suspended,
    waitMs: orNull(waitMs), decision,
  });
}

/** What is kept: everything but what can still be read off the answer when somebody asks. */
export function account(call, kind, endpoint, totalMs, waitedMs, stop, retryAfterMs, retryAfterHidden, page, lastStatus, answer) {
  const { url, method, key, attempts } = call;
  return {
    url, answer, lastStatus,
    info: {
      kind, method, endpoint: orNull(endpoint), attempts, totalMs, waitedMs, stop, retryAfterMs: orNull(retryAfterMs),
      retryAfterHidden, rateLimit: null, correlationId: null, page: orNull(page), idempotencyKey: orNull(key),
    },
  };
}

/** An object that two calls ended with has no account any more. */
export function remember(of, kept) {
  if (of !== null && (typeof of === 'object' || typeof of === 'function')) accounts.set(of, accounts.has(of) ? undefined : kept);
}

export const recall = (of) => accounts.get(of);

/** The finished `CallInfo`, a new one for everybody who asks: what is read late is filled in. */
export function finish({ info }, endpoint, rateLimit, correlationId) {
  const attempts = info.attempts.map((attempt) => Object.assign({}, attempt));
  return Object.assign({}, info, { endpoint, attempts, rateLimit, correlationId: orNull(correlationId) });
}

/** `RetryContext`, and with the rest `RetryEvent`. */
export function event(call, kind, endpoint, attempt, elapsedMs, status, answer, error, delayMs, retryAfterMs, reason) {
  const context = { kind, method: call.method, endpoint, attempt, elapsedMs, status: orNull(status), error, response: answer };
  return reason === undefined ? context : Object.assign(context, { delayMs, retryAfterMs: orNull(retryAfterMs), reason });
}

/** Calls a listener of the caller's. What it throws, or what its promise rejects with, breaks nothing. */
export function tell(listener, argument) {
  try {
    const said = listener(argument);
    if (typeof said === 'object') Promise.resolve(said).catch(() => {});
    return said;
  } catch (_) {
    return undefined;
  }
}

const orNull = (value) => (value === undefined ? null : value);
