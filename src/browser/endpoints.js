// What this copy of the package has seen of each endpoint: numbers, and two histograms that are made with their first
// sample. At most 3.8 KB an endpoint, however many calls there were. `telemetry.js` in the package shows it; here is
// only what every call needs, since it is a part of every bundle.

import { ANSWERED } from './attempt.js';
import { histogram, quantile, stepOf } from './histogram.js';

const OTHER = '{other}';
/** Distinct endpoints; the calls of all others are counted together. */
const LIMIT = 200;
/** So many times are known one by one, the latest; and from so many on a median is one. */
export const RECENT = 20;

/**
 * To look for limits takes as long as half of all else that a success costs, and most servers never report any. Where none were
 * found in the first calls, a success is looked at only every so often.
 */
const SELDOM = 16;
/** Headers that tell of limits: so many, shorter than so many characters. */
const LIMITS = 20, LONGEST = 200;

/** By a key of their own: what is kept here of an address is its origin, and no more. */
let accounts = new Map();
/** When counting began, on the wall clock. */
let since;

/** The account under this name; made where there is none and `makes` says so. */
function find(origin, endpoint, method, kind, makes) {
  const key = `${kind} ${method} ${origin} ${endpoint}`;
  let account = accounts.get(key);
  if (!account && makes) {
    if (accounts.size >= LIMIT && method !== OTHER) return find('', OTHER, OTHER, kind, true);
    account = {
      origin, endpoint, method, kind, calls: 0, attempts: 0, retries: 0, throttled: 0, slowFailures: 0, failures: 0,
      headers: undefined, body: undefined, recent: undefined, samples: 0, median: NaN, medianOf: 0,
      lastRetryAfterMs: null, limits: undefined, limitsAt: 0,
    };
    accounts.set(key, account);
  }
  return account;
}

const accountOf = ({ origin, endpoint, method, kind }, makes) => find(origin, endpoint, method.toUpperCase(), kind, makes);

/** Counts a call that has ended. Gives back the account that it went to. */
export function count(call, { attempts, stop, page, retryAfterMs }) {
  const { ended, answer } = call;
  if (since === undefined) startCounting();
  const account = accountOf(call, true);
  account.calls++;
  account.attempts += attempts.length;
  account.retries += Math.max(attempts.length - 1, 0);
  attempts.forEach(({ status }, n) => {
    // Only a last answer can be a page: it is final.
    if (status === 429 || status === 503 || (page === 'throttle' && n === attempts.length - 1)) account.throttled++;
  });
  if (stop === 'slow-failure') account.slowFailures++;
  if (stop !== 'success' && stop !== 'aborted') account.failures++;
  if (retryAfterMs !== null) account.lastRetryAfterMs = retryAfterMs;
  const looks = account.limits || account.calls <= RECENT || account.calls % SELDOM === 0 || stop !== 'success';
  const limits = looks && ended === ANSWERED && limitsOf(answer);
  if (limits) {
    account.limits = limits;
    account.limitsAt = Date.now();
  }
  const sample = sampleOf(attempts, stop);
  if (sample) {
    const { elapsedMs } = sample;
    account.headers = account.headers || histogram();
    account.headers[stepOf(elapsedMs)]++;
    account.recent = account.recent || new Float32Array(RECENT);
    account.recent[account.samples++ % RECENT] = elapsedMs;
  }
  return account;
}

/** The headers that tell of limits, to be read when somebody asks. */
function limitsOf(answer) {
  let found, room = LIMITS;
  try {
    const { headers } = answer;
    if (headers.forEach) headers.forEach((value, name) => {
      if (/ratelimit/i.test(name) && value.length < LONGEST && room-- > 0) (found = found || {})[name] = value;
    });
  } catch (_) {
    // An answer of somebody's own making.
  }
  return found;
}

/** The attempt whose time is a sample: it was answered as hoped, and the page was awake. */
function sampleOf(attempts, stop) {
  const last = attempts[attempts.length - 1];
  return stop === 'success' && last.status >= 200 && last.status < 300 && !last.suspended ? last : undefined;
}

export function addBody(account, { attempts, stop }, ms) {
  const sample = sampleOf(attempts, stop);
  if (!sample || !(ms >= 0)) return;
  account.body = account.body || histogram();
  account.body[stepOf(sample.elapsedMs + ms)]++;
}

/** The median time to the headers; NaN below 20 samples. */
export function medianMs(call) {
  const account = accountOf(call);
  if (!account || account.samples < RECENT) return NaN;
  // A repeat asks several times, and the histogram is read more slowly than all the rest is decided.
  if (account.medianOf !== account.samples) {
    account.medianOf = account.samples;
    account.median = quantile(account.headers, 0.5);
  }
  return account.median;
}

function startCounting() {
  since = Date.now();
}

/** Everything counted so far, and since when. */
export function counted() {
  if (since === undefined) startCounting();
  return { since, accounts: [...accounts.values()] };
}

export function forgetEndpoints() {
  accounts = new Map();
  startCounting();
}
