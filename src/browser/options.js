// The names of the options that are steadfetch's own (CommonOptions, SpFetchOptions and AiFetchOptions of
// types.d.ts). They stand here once: the engine and the plain path both take them out before the transport is called.
// `headers` is missing on purpose: it belongs to fetch, which only does not know it as a function.

export const OPTION_NAMES = [
  'maxRetries',
  'timeout',
  'retryStatuses',
  'backoff',
  'fetch',
  'shouldRetry',
  'onRetry',
  'retryBudget',
  'coolDown',
  'endpoint',
  'minAttemptMs',
  'onDone',
  // spFetch
  'digest',
  // aiFetch
  'slowAfterMs',
  'circuit',
  'idempotencyKey',
  'idempotencyHeader',
  'deadlineHeader',
];
