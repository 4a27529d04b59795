// Retry and circuit breaker together, as its README begins with.

import { ConsecutiveBreaker, ExponentialBackoff, circuitBreaker, handleWhenResult, retry, wrap } from 'cockatiel';

export const peer = { name: 'cockatiel', gives: 'Response', repeats: true };

export function make(fetch) {
  const failures = handleWhenResult(({ status }) => status === 429 || status >= 500);
  const policy = wrap(
    retry(failures, { maxAttempts: 3, backoff: new ExponentialBackoff() }),
    circuitBreaker(failures, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
  );
  return (url) => policy.execute(({ signal }) => fetch(url, { signal }));
}
