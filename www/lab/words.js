// Numbers and names, as a person reads them.

/** `150 ms`, `1.06 s`, `3 min 50 s`. */
export function duration(ms) {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(2))} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest ? ` ${rest} s` : ''}`;
}

/** `1 item`, `2 items`. */
export const count = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

const STATUS_TEXT = {
  200: 'OK', 201: 'Created', 302: 'Found', 409: 'Conflict', 429: 'Too Many Requests', 502: 'Bad Gateway',
};

/** `429 Too Many Requests`, or the name of the error: there may be no answer. */
export function ending({ status, error }) {
  return status === null ? error ?? 'no answer' : `${status} ${STATUS_TEXT[status] ?? ''}`.trim();
}

const STOPS = {
  success: 'an answer came',
  'final-status': 'repeating would not change it',
  'unsafe-method': 'a write, sent once',
  'slow-failure': 'it took as long as a timeout: paid for already',
  'wait-exceeds-time-left': 'the wait does not fit into the time left',
  timeout: 'the time is up',
  aborted: 'you cancelled it',
  'no-retries-left': 'it may not be repeated (again)',
  'circuit-open': 'the back end is left alone for a moment',
  'cooling-down': 'the server asked this page to wait',
};

/** What a stop reason means, in a few words. */
export const meaning = (stop) => STOPS[stop] ?? '';

const FATES = {
  written: 'The server says that it was written.',
  'already-applied': 'The server said no, but the item is there: it was not sent again.',
  rejected: 'The server refused it.',
  'not-applied': 'The item is not there, and it was not sent again.',
  unknown: 'Nobody knows whether the item is there.',
};

/** What became of a write, as a sentence. */
export const fate = (status) => FATES[status];
