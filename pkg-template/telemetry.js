// `telemetry`: what this copy has counted and what this page shares at the moment, in the names of the public contract.

import { ask } from './engine.js';
import { RECENT, counted, forgetEndpoints } from './snippets/endpoints.js';
import { STATES, shown } from './snippets/events.js';
import { quantile, stepOf } from './snippets/histogram.js';
import { keysOf } from './snippets/page_state.js';

const GATES = 0, BUDGETS = 1, WINDOWS = 3;
/** Below so many samples a p99 is one slow call. */
const ENOUGH = 100;

/** The host of a key as a template; empty where the key is the caller's own. */
const hostOf = (key) => ask('hostOf', '', key);

export function telemetry() {
  const { since, accounts } = counted();
  return {
    sinceMs: since,
    endpoints: accounts.map(stats),
    circuits: entries(WINDOWS, ([state, failureRate, calls, reopensInMs], key) => ({
      key: shown(key, hostOf(key)), state: STATES[state], failureRate, calls, reopensInMs: STATES[state] === 'open' ? reopensInMs : null,
    })),
    coolDowns: entries(GATES, ([untilMs], key) => ({ host: hostOf(key), untilMs })),
    budgets: entries(BUDGETS, ([repeats, reserve], key) => ({ host: hostOf(key), repeats, reserve })),
  };
}

export function resetTelemetry() {
  forgetEndpoints();
}

function entries(shelf, make) {
  const found = [];
  for (const one of keysOf(shelf)) {
    const numbers = ask('entryState', [], one, shelf);
    if (numbers.length > 0) found.push(make(numbers, one.origin));
  }
  return found;
}

/** `EndpointStats` */
function stats(account) {
  const { origin, endpoint, method, kind, calls, attempts, retries, throttled, slowFailures, failures, lastRetryAfterMs } = account;
  const headers = quantiles(account.headers), body = quantiles(account.body);
  return {
    endpoint, host: hostOf(origin), method, kind, calls, attempts, retries, throttled, slowFailures, failures, headers, body,
    suggestedAttemptMs: suggested(headers), suggestedTotalMs: suggested(body), lastRetryAfterMs,
    rateLimit: account.limits ? ask('readRateLimit', null, account.limits, account.limitsAt) : null, drift: drift(account),
  };
}

function quantiles(counts) {
  const at = (share) => (counts ? quantile(counts, share) : null);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), samples: counts ? sum(counts) : 0 };
}

const suggested = ({ p99Ms, samples }) => (samples < ENOUGH ? null : Math.ceil(1.5 * p99Ms));

/** The latest median by that of all before. */
function drift({ headers, recent, samples }) {
  if (samples < 2 * RECENT) return null;
  const latest = [...recent].sort((a, b) => a - b), before = headers.slice();
  for (const ms of latest) before[stepOf(ms)]--;
  const usual = quantile(before, 0.5);
  return usual > 0 ? latest[RECENT / 2] / usual : null;
}

const sum = (counts) => counts.reduce((all, count) => all + count, 0);
