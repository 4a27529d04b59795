// Engine 'none': WebAssembly is refused on this page, or has stopped. No rule can be applied, so nothing is ever
// repeated: our options are taken out and the request is sent once. What a caller cannot do without is still honoured:
// the transport, the signal, a total time, a string as idempotency key, and `headers` and `digest` as functions, since
// the request would go out without its tokens.

import { OPTION_NAMES } from './snippets/request.js';
import { SteadError } from './snippets/stead_error.js';

/** setTimeout counts in 32 bits; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2147483647;

/** @param {'spFetch' | 'aiFetch'} name */
export async function plainFetch(name, input, init, defaults) {
  const { options, rest } = takeOut(init, defaults);
  const limitMs = totalMs(options.timeout);
  const signal = rest && rest.signal !== undefined ? rest.signal : input && input.signal;
  const changes = {};
  const end = limitMs === undefined ? undefined : endAfter(limitMs, signal);
  if (end) changes.signal = end.signal;

  const send = async () => {
    const headers = await headersOf(name, input, rest, options);
    if (headers !== undefined) changes.headers = headers;
    if (signal && signal.aborted) throw signal.reason;
    const sent = Object.keys(changes).length > 0 ? Object.assign({}, rest, changes) : rest;
    return options.fetch ? options.fetch(input, sent) : globalThis.fetch(input, sent);
  };
  if (!end) return send();
  try {
    return await Promise.race([send(), end.reached]);
  } catch (error) {
    end.cancel();
    throw error;
  }
}

/** Our options, and what is left for the transport: the caller's own object if nothing had to be taken out. */
function takeOut(init, defaults) {
  const options = Object.assign({}, defaults);
  if (typeof init !== 'object' || init === null) return { options, rest: init };
  const rest = {};
  let changed = false;
  for (const name in init) if (!OPTION_NAMES.includes(name)) rest[name] = init[name];
  for (const name of OPTION_NAMES) {
    if (!(name in init)) continue;
    changed = true;
    const value = init[name];
    if (value !== undefined) options[name] = value;
  }
  return { options, rest: changed ? rest : init };
}

function totalMs(timeout) {
  const bare = typeof timeout !== 'object' || timeout === null;
  const value = bare ? timeout : timeout.totalMs;
  if (value === undefined) return undefined;
  if (!(typeof value === 'number' && value > 0)) {
    const option = bare ? 'timeout' : 'timeout.totalMs';
    throw new SteadError('EOPTION', `${option} is ${String(value)}; allowed: milliseconds above 0, or Infinity`);
  }
  return value <= LONGEST_TIMER_MS ? value : undefined;
}

/** A signal for the transport that also fires after `ms`. A time the caller set covers the body, so it stays armed. */
function endAfter(ms, caller) {
  const ours = new AbortController();
  const follow = () => ours.abort(caller.reason);
  // `signal: ours.signal` takes the listener out again, at the latest when the time is over.
  if (caller) caller.aborted ? follow() : caller.addEventListener('abort', follow, { signal: ours.signal });
  const timer = setTimeout(() => ours.abort(new SteadError('ETIMEOUT', `no answer within ${ms} ms`)), ms);
  const reached = new Promise((resolve, reject) => {
    const fail = () => reject(ours.signal.reason);
    ours.signal.aborted ? fail() : ours.signal.addEventListener('abort', fail);
  });
  const cancel = () => {
    clearTimeout(timer);
    ours.abort();
  };
  return { signal: ours.signal, reached, cancel };
}

/** The headers to send, or undefined where the caller's own need no change. */
async function headersOf(name, input, rest, options) {
  let headers = rest ? rest.headers : undefined;
  const asked = typeof headers === 'function';
  if (asked) headers = await headers({ attempt: 1 });

  const added = {};
  const method = String((rest && rest.method) || (input && input.method) || 'GET').toUpperCase();
  if (method !== 'GET' && method !== 'HEAD') {
    if (name === 'spFetch' && options.digest) added['X-RequestDigest'] = await options.digest();
    const { idempotencyKey, idempotencyHeader = 'Idempotency-Key' } = options;
    if (name === 'aiFetch' && typeof idempotencyKey === 'string') added[idempotencyHeader] = idempotencyKey;
  }
  if (Object.keys(added).length === 0) return asked ? headers : undefined;

  const all = new Headers(headers !== undefined ? headers : input && input.headers);
  for (const key of Object.keys(added)) all.set(key, added[key]);
  return all;
}
