// The options that are steadfetch's own (CommonOptions, SpFetchOptions and AiFetchOptions of types.d.ts): their names,
// and what each may be. A wrong one is an `EOPTION` that names it and what is allowed. They stand here once: the engine
// and the plain path both take them out before the transport is called.
// `headers` is missing on purpose: it belongs to fetch, which only does not know it as a function.

import { ONCE } from './request.js';
import { wrongOption } from './stead_error.js';

// A check takes an option's name and value and gives back what the engine reads; `undefined` never gets here.

export const check = (allowed, fits) => (name, value) => {
  if (!fits(value)) throw wrongOption(name, allowed, value);
  return value;
};
const isBetween = (value, min, max) => typeof value === 'number' && value >= min && value <= max;
export const number = (min, max, allowed) => check(allowed, (value) => isBetween(value, min, max));
const string = (pattern, allowed) => check(allowed, (value) => typeof value === 'string' && pattern.test(value));
const orFalse = (inner) => (name, value) => value !== false && inner(name, value);

const wait = number(0, 2147483647, 'milliseconds from 0 to 2147483647');
export const limit = number(Number.MIN_VALUE, Infinity, 'milliseconds above 0, or Infinity');
const count = number(0, 1e9, 'a number from 0 to 1000000000');
const share = number(0, 1, 'a number from 0 to 1');
const time = number(1, 300000, 'milliseconds from 1 to 300000');
const label = string(/^[^]{1,200}$/, 'a string of 1 to 200 characters');
export const callback = check('a function', (value) => typeof value === 'function');
/** A field name is a token (RFC 9110, 5.6.2). */
const headerName = (allowed) => string(/^[\w!#$%&'*+.^`|~-]{1,100}$/, allowed);

/** An object that has what it is given and no more: what a page has put on `Object.prototype` is nobody's option. */
export const bare = (...parts) => Object.assign(Object.create(null), ...parts);

/** Whether `from` has this from `Object.prototype` alone. May throw where `from` does. */
export function isStray(from, name) {
  const { prototype } = Object;
  if (!(name in prototype)) return false;
  let at = from;
  while (at && at !== prototype && !prototype.hasOwnProperty.call(at, name)) at = Object.getPrototypeOf(at);
  return at === prototype;
}

/** An object of options, of which some are there. */
const group = (members, allowed) => (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongOption(name, allowed, value);
  const found = bare();
  for (const member of Object.keys(members)) {
    let inner;
    try {
      inner = value[member];
      if (inner === undefined || isStray(value, member)) continue;
    } catch (_) {
      // A getter that throws is as wrong as a value that is not allowed.
    }
    found[member] = members[member](`${name}.${member}`, inner);
  }
  return found;
};

const times = group({ totalMs: limit, attemptMs: limit, idleMs: limit }, 'milliseconds above 0, Infinity, or { totalMs, attemptMs, idleMs }');
const timeout = (name, value) => (typeof value === 'number' ? { totalMs: limit(name, value) } : times(name, value));

const STATUSES = 'an array of at most 200 whole numbers from 400 to 599';
const status = check(STATUSES, (value) => isBetween(value, 400, 599) && Number.isInteger(value));
const statuses = (name, value) => {
  let list;
  try {
    if (Array.isArray(value)) list = Array.from(value);
  } catch (_) {
    // A getter that throws in place of a status.
  }
  if (!list || list.length > 200 || list.includes(undefined)) throw wrongOption(name, STATUSES, value);
  return list.map((one) => status(name, one));
};

const COMMON = {
  maxRetries: check('a whole number from 0 to 100', (value) => isBetween(value, 0, 100) && Number.isInteger(value)),
  timeout,
  retryStatuses: statuses,
  backoff: group({ baseMs: wait, capMs: wait }, 'an object'),
  minAttemptMs: wait,
  fetch: callback,
  shouldRetry: callback,
  onRetry: callback,
  onDone: callback,
  endpoint: label,
  retryBudget: orFalse(group(
    { ratio: share, minPerMinute: count, capacity: count, transientCost: count, throttleCost: count },
    'false, { ratio, minPerMinute } or { capacity, … }',
  )),
  coolDown: orFalse(string(/^(page|tabs)$/, "'page', 'tabs' or false")),
};

const OF_KIND = {
  sp: { digest: callback },
  ai: {
    // "Only what failed fast" is a promise: the limit stays below the platform's own 230 s.
    slowAfterMs: number(Number.MIN_VALUE, 200000, 'milliseconds above 0, up to 200000'),
    idempotencyKey: check(
      'true, false, or 1 to 255 visible ASCII characters',
      (value) => typeof value === 'boolean' || (typeof value === 'string' && /^[!-~]{1,255}$/.test(value)),
    ),
    idempotencyHeader: headerName('a header name'),
    deadlineHeader: orFalse(headerName('a header name or false')),
    circuit: orFalse(group(
      { key: label, failureRate: share, minimumCalls: count, windowMs: time, openMs: time },
      'false or { key, failureRate, minimumCalls, windowMs, openMs }',
    )),
  },
};

export const OPTION_NAMES = Object.keys(Object.assign({}, COMMON, OF_KIND.sp, OF_KIND.ai));

/** Those of the options that have a check, checked. */
export function checkAll(checks, options) {
  const checked = bare();
  for (const name of Object.keys(checks)) {
    if (options[name] !== undefined) checked[name] = checks[name](name, options[name]);
  }
  return checked;
}

/** Of all calls without options, most of a page's. */
const NONE = Object.freeze(bare());

/** What applies to this kind of call, checked; the times of `timeout` and `backoff` by their own names. */
export function checkOptions(kind, options) {
  if (typeof options !== 'object' || options === null) return NONE;
  const checked = checkAll(Object.assign({}, COMMON, OF_KIND[kind]), options);
  return Object.assign(checked, checked.timeout, checked.backoff, checked.retryBudget, checked.circuit);
}

/** What the engine reads as numbers, in the order in which policy/plan.rs shows them. */
const NUMBERS = [
  'maxRetries', 'totalMs', 'attemptMs', 'baseMs', 'capMs', 'minAttemptMs', 'slowAfterMs', 'coolDown',
  'retryBudget', 'ratio', 'minPerMinute', 'capacity', 'transientCost', 'throttleCost',
  'circuit', 'failureRate', 'minimumCalls', 'windowMs', 'openMs',
];

/** What a call is, bit by bit, for options.rs. */
export function traits({ reads, body, ownKey, options }) {
  if (options === NONE && ownKey === undefined) return (reads ? 1 : 0) | (body === ONCE ? 2 : 0);
  const { idempotencyKey, digest, retryStatuses } = options;
  return (reads ? 1 : 0) | (body === ONCE ? 2 : 0) | (ownKey === undefined ? 0 : ownKey === idempotencyKey ? 12 : 4) |
    (digest && !reads ? 16 : 0) | (retryStatuses ? 32 : 0) | (NUMBERS.some((name) => options[name] !== undefined) ? 64 : 0);
}

export const statusesOf = ({ options }) => options.retryStatuses;

/** Writes them into `out`: NaN where nothing was said; 0 for `false`; 1 for other tabs. */
export function wishes({ options }, out) {
  NUMBERS.forEach((name, at) => {
    const value = options[name];
    out[at] = typeof value === 'number' ? value : value === false ? 0 : value === 'tabs' ? 1 : NaN;
  });
}
