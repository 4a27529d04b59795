// One plain sentence or two for a person: what failed, why it was (not) repeated, what to do now. Made of fixed words and
// a number of seconds only, so no address, name or message of anybody's can be in it.

const UNREACHABLE = 'The server could not be reached, refused this page (CORS), or you are signed out.';
const CANCELLED = 'The request was cancelled.';
const TIMED_OUT = 'The server did not answer in time.';
const FAILING = 'The service has been failing, so it was not asked again.';
const ASKED_TO_WAIT = 'The server asked this page to wait, so the request was not sent.';

const CHECK = 'Check whether it was applied before you try again';
const LATER = 'Try again later.';
const WAIT = 'Wait a minute and try again.';
const USELESS = 'Trying again will not help; report it to the owner of this page.';

/** What the last answer says by itself: its status, what happened, what to do. The first line that fits counts. */
const STATUSES = [
  [/^null$/, UNREACHABLE, 'Check the connection, or reload the page and sign in.'],
  [/^40[13]$/, 'The server refused access.', 'Sign in again, or ask for access.'],
  [/^4(04|10)$/, 'The server did not find what was asked for.', 'Check that it still exists.'],
  [/^4(09|12|23)$/, 'The server reported a conflict.', 'Reload the latest version and try again.'],
  [/^408$/, 'The server ran out of time.', USELESS],
  [/^504$/, 'The server ran out of time.', LATER],
  [/^429$/, 'The server is limiting requests.', WAIT],
  [/^5(03|29)$/, 'The server is overloaded.', WAIT],
  [/^[5-9]..$/, 'The server failed.', LATER],
  [/^4..$/, 'The server did not accept the request.', USELESS],
  [/^/, 'The server did not accept the request.', LATER],
];

const PAGES = {
  login: 'A sign-in page answered instead of data.',
  throttle: 'SharePoint answered with its throttling page instead of data.',
  html: 'A web page answered instead of data.',
};

/** Where the reason for stopping says more than the status. */
const STOPS = {
  aborted: CANCELLED,
  timeout: TIMED_OUT,
  'not-sent': 'The request could not be prepared, so it was not sent.',
  'circuit-open': FAILING,
  'cooling-down': ASKED_TO_WAIT,
};

const REPEATED = 'It was repeated without success.';
/** Why it was not repeated (again). */
const REASONS = {
  'unsafe-method': 'It was not repeated, because it may have been applied already.',
  'slow-failure': 'It was not repeated, because the failed attempt took too long to be worth another.',
  'retry-budget': 'It was not repeated, because too much has been repeated on this page lately.',
  'wait-exceeds-time-left': 'It was not repeated, because the wait would have taken longer than the time left.',
  'body-not-replayable': 'It was not repeated, because its content can be sent only once.',
  vetoed: 'It was not repeated, as it was asked not to be.',
  'stacked-retries': 'It was not repeated here, because another layer repeats it already.',
};

/** What is said of a call with an account: its `info`, and whether it was a SharePoint write. */
export function told({ info: { attempts, page, retryAfterMs, stop }, write }) {
  if (stop === 'success') return 'The request succeeded.';
  const status = attempts.length ? attempts[attempts.length - 1].status : null;
  const [, said, advice] = STATUSES.find(([statuses]) => statuses.test(status));
  // HTML beside a failed status is the server's own error page.
  const named = page && (page !== 'html' || (stop === 'final-status' && status !== null && status < 400));
  const repeated = attempts.length > 1 && (stop === 'no-retries-left' || stop === 'network');
  const why = repeated ? REPEATED : REASONS[stop];
  // The server may have carried out what looks like a failure: no answer says that it was refused. Who repeats a write
  // because the wait is over may write it twice.
  const unsure = write && attempts.length > 0 && (status === null || status === 408 || status === 429 || status >= 500);
  const now =
    page === 'login' ? 'Reload the page and sign in again.'
    : retryAfterMs > 0 && stop !== 'aborted' ? (unsure ? CHECK : 'Try again') + wait(retryAfterMs)
    : unsure ? `${CHECK}.`
    : stop === 'aborted' ? 'Start it again if you still need it.'
    : stop === 'timeout' ? LATER
    : page ? 'Wait a few minutes and try again.'
    : advice;
  return [named ? PAGES[page] : STOPS[stop] || said, why, now].filter(Boolean).join(' ');
}

/** The rest of `Try again in 41 seconds.` */
function wait(ms) {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return ` in ${seconds} second${seconds === 1 ? '' : 's'}.`;
  return seconds < 7_200 ? ` in ${Math.ceil(seconds / 60)} minutes.` : ' later; the server asked for a wait of hours.';
}

/** What is said where the transport resolved with something that is no answer. */
export const NO_ANSWER = 'The request was sent, but what came back is no answer. Check whether it was applied before you try again.';
export const FAILED = 'The request failed.';

const CODES = {
  ETIMEOUT: [TIMED_OUT, LATER],
  ECIRCUITOPEN: [FAILING, LATER],
  ECOOLINGDOWN: [ASKED_TO_WAIT, LATER],
  EPARTIALREAD: ['Not everything could be read, so nothing was handed out.', LATER],
  EOPTION: ['The request was not sent, because an option of it is wrong.'],
  EENGINE: ['This page could not run the request. Reload it and try again.'],
};

/** What is said of anything without an account: its `name` and `code` decide, its message is never shown. */
export function stranger(name, code) {
  if (name === 'AbortError') return CANCELLED;
  if (name === 'TimeoutError') code = 'ETIMEOUT';
  if (name === 'TypeError' && code === undefined) return UNREACHABLE;
  return Object.prototype.hasOwnProperty.call(CODES, code) ? CODES[code].join(' ') : FAILED;
}
