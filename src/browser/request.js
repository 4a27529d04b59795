// What the caller passed, looked at once. This is JavaScript because a look from Rust would cross the boundary for
// every member, and because fetch's own rules are rules about JavaScript objects: inherited getters count,
// `undefined` is absent, unknown members pass through. Every getter is read once, nothing is written to.

import { aborted } from './attempt.js';
import { OPTION_NAMES, bare, checkOptions, isStray } from './options.js';
import { SteadError, wrongOption } from './stead_error.js';

/** Members of RequestInit: a class may define them as getters on its prototype, where no loop finds them. */
const MEMBERS = [
  'method', 'headers', 'body', 'signal', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy',
  'integrity', 'keepalive', 'duplex', 'priority', 'window',
];

/** How often a body can be sent: again and again, once, or again once it was copied. */
const REPLAYABLE = 0;
export const ONCE = 1, COPY = 2;

const refuse = (name, what, cause) => new SteadError('EOPTION', `\`${name}\` ${what}`, { cause });

function read(from, name) {
  try {
    return from[name];
  } catch (cause) {
    throw refuse(String(name), 'could not be read: its getter threw (see `cause`).', cause);
  }
}

function text(name, value) {
  try {
    return `${value}`; // as fetch does it: a symbol is refused
  } catch (cause) {
    throw refuse(name, 'could not be turned into a string (see `cause`).', cause);
  }
}

/** A plain copy of what is there and not undefined. `own` are members that a class may define on its prototype. */
export function copyMembers(name, from, own = OPTION_NAMES) {
  const out = bare();
  if (from === undefined || from === null) return out;
  if (typeof from !== 'object' && typeof from !== 'function') throw refuse(name, `must be an object, not a ${typeof from}.`);
  const names = new Set();
  try {
    for (const member in from) names.add(member);
    if (Object.getPrototypeOf(from) !== Object.prototype) {
      for (const member of MEMBERS.concat(own)) if (member in from) names.add(member);
    }
    for (const option of own) if (isStray(from, option)) names.delete(option);
  } catch (cause) {
    throw refuse(name, 'could not be read (see `cause`).', cause);
  }
  for (const member of names) {
    const value = read(from, member);
    if (value !== undefined) out[member] = value;
  }
  return out;
}

/** In place of `init`: `input` is a call that was taken apart before. */
export const TAKEN = {};

/** One call, taken apart: `init` for the transport without our options, `options`, and what fetch would send. */
export function takeCall(kind, input, init, defaults) {
  if (init === TAKEN) return input;
  const rest = copyMembers('init', init);
  let options = defaults;
  for (const name of Object.keys(rest)) {
    if (!OPTION_NAMES.includes(name)) continue;
    if (options === defaults) options = bare(defaults);
    options[name] = rest[name];
    delete rest[name];
  }
  const url = typeof input === 'object' && input !== null ? read(input, 'url') : undefined;
  const request = typeof url === 'string' ? input : undefined;
  const effective = (name) => (name in rest ? rest[name] : request && read(request, name));
  let method = effective('method');
  method = method === undefined ? 'GET' : text('method', method);
  if ('method' in rest) rest.method = method;
  const headers = effective('headers');
  const call = {
    kind,
    input,
    init: Object.assign({}, rest),
    isRequest: request !== undefined,
    url: request ? url : text('input', input),
    method,
    reads: isRead(method),
    signal: checkSignal(effective('signal')),
    body: bodyKind(rest.body, request, method),
    headers: typeof headers === 'function' ? headers : snapshot(headers),
    // The headers that decide something, if there are any.
    accept: '',
    deciding: undefined,
    endpoint: undefined,
    ownKey: undefined,
    key: undefined,
    controller: undefined,
    // How the last attempt ended, the last answer, the last error of the transport.
    ended: undefined,
    answer: undefined,
    error: undefined,
    attempts: [],
    // What is waited for, and what has been told the time for it.
    wait: undefined,
    alarm: undefined,
  };
  call.options = checkOptions(kind, options);
  return call;
}

const isRead = (method) => /^(get|head)$/i.test(method);

/** Anything that behaves like an AbortSignal will do, one of another frame, say. */
export function checkSignal(signal) {
  if (signal === undefined || signal === null) return undefined;
  try {
    if (typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function') return signal;
  } catch (_) {
    // A getter that throws is no signal either.
  }
  throw wrongOption('signal', 'an AbortSignal', signal);
}

function bodyKind(body, request, method) {
  if (body !== undefined && body !== null) {
    const stream = typeof body === 'object' &&
      (typeof read(body, 'getReader') === 'function' || typeof read(body, Symbol.asyncIterator) === 'function');
    return stream ? ONCE : isMutable(body) ? COPY : REPLAYABLE;
  }
  // Firefox has no `Request.body`, so a method that may carry a body is taken to carry one.
  if (!request || isRead(method) || read(request, 'body') === null) return REPLAYABLE;
  return read(request, 'bodyUsed') ? ONCE : COPY;
}

/** Bytes, forms and parameters may be changed by the caller while the call waits; every attempt sends the same. */
const isMutable = (body) =>
  typeof body === 'object' &&
  (typeof read(body, 'byteLength') === 'number' || (typeof read(body, 'append') === 'function' && typeof read(body, 'getAll') === 'function'));

export function copyOf(body) {
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (typeof body.byteLength === 'number') return body.slice(0);
  const copy = new body.constructor();
  for (const [name, value] of body) copy.append(name, value);
  return copy;
}

/** Headers read once, in the shape they came in: a plain record stays one, since stubs and adapters look at it. */
function snapshot(headers) {
  if (headers === undefined || headers === null) return undefined;
  if (typeof headers !== 'object') throw wrongOption('headers', 'Headers, an array of pairs or a record', headers);
  try {
    const record = typeof headers[Symbol.iterator] !== 'function';
    const pairs = [];
    if (record) for (const name of Object.keys(headers)) pairs.push([name, `${headers[name]}`]);
    else for (const [name, value] of headers) pairs.push([`${name}`, `${value}`]);
    return { record, pairs };
  } catch (cause) {
    throw refuse('headers', 'could not be read (see `cause`).', cause);
  }
}

/** Request headers that make a write of a read, or tell that somebody else repeats; lower case. */
const DECIDING = [
  'x-http-method', 'x-http-method-override', 'x-method-override', 'x-stainless-retry-count', 'retry-attempt',
  'amz-sdk-request',
];

/**
 * Completes the request of one attempt: the caller's headers and ours. Tokens and digests age while one waits, so
 * `headers` and `digest` are asked before every send. A promise where something has to be waited for, or went wrong.
 */
export function prepared(call, sent, leftMs) {
  const endsAt = monotonicNow() + leftMs;
  const make = typeof call.headers === 'function' ? call.headers : undefined;
  const askDigest = call.reads ? undefined : call.options.digest;
  const copiesBody = sent === 0 && copies(call);
  const ask = async () => {
    const made = make ? await make({ attempt: sent + 1 }) : undefined;
    // A digest costs a request, and nobody waits for this one any more.
    if (call.over || aborted(call)) return;
    const digest = askDigest ? await askDigest() : undefined;
    if (askDigest && typeof digest !== 'string') throw wrongOption('digest', 'a function that gives a string', digest);
    const { body } = call.init;
    if (copiesBody) call.init.body = body === undefined || body === null ? await call.input.arrayBuffer() : copyOf(body);
    dress(call, made, digest, endsAt);
  };
  if (make || askDigest || copiesBody) return ask();
  try {
    return dress(call, undefined, undefined, endsAt);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A copy costs memory, so only where it may be sent again: by a retry, a poll, or a renewed digest. */
const copies = ({ kind, body, ownKey, options: { maxRetries, digest } }) =>
  body === COPY && (kind === 'ai' ? maxRetries !== 0 || ownKey !== undefined : digest !== undefined);

/** A page without `performance` (an old test environment) has one clock only. */
export const monotonicNow = () => (globalThis.performance || Date).now();

/** Leaves in the call the headers that decide something, and the key that goes out. */
function dress(call, made, digest, endsAt) {
  const { ownKey, options: { idempotencyHeader: keyName = 'Idempotency-Key', deadlineHeader } } = call;
  const fresh = typeof call.headers === 'function';
  const headers = fresh ? snapshot(made) : call.headers;
  const added = [];
  call.accept = '';
  call.deciding = call.key = undefined;
  for (const [name, value] of headers ? headers.pairs : []) {
    const lower = name.toLowerCase();
    if (lower === 'accept') call.accept += value;
    if (DECIDING.includes(lower)) {
      const deciding = (call.deciding = call.deciding || {});
      // Sent twice, fetch joins them, and both count.
      deciding[lower] = lower in deciding ? `${deciding[lower]}, ${value}` : value;
    }
    if (ownKey !== undefined && lower === keyName.toLowerCase()) call.key = value;
  }
  if (digest !== undefined) added.push(['X-RequestDigest', digest]);
  if (ownKey !== undefined && call.key === undefined) added.push([keyName, (call.key = ownKey)]);
  if (deadlineHeader && endsAt < Infinity) added.push([deadlineHeader, String(Math.max(0, Math.floor(endsAt - monotonicNow())))]);
  if (added.length || fresh) call.init.headers = join(headers, added);
  // A Request has its headers; but those may be changed while the call waits.
  else if (headers && ('headers' in call.init || call.ended)) call.init.headers = join(headers, added);
}

/** Headers in the shape they came in, with ours in the place of theirs. */
export function join(headers, added) {
  const ours = added.map(([name]) => name.toLowerCase());
  const pairs = (headers ? headers.pairs : []).filter(([name]) => !ours.includes(name.toLowerCase())).concat(added);
  if (headers && !headers.record) return typeof Headers === 'function' ? new Headers(pairs) : pairs;
  const record = {};
  for (const [name, value] of pairs) record[name] = value;
  return record;
}

/** A custom header on the page's own origin costs no CORS preflight. */
export function sameOrigin(call) {
  const own = globalThis.origin;
  return typeof own === 'string' && own !== 'null' && originOf(call.url) === own;
}

/** An address that says its own origin, in so many words. */
const ABSOLUTE = /^https?:\/\/[a-z0-9.-]+(?=[/?#]|$)/;

/** What a relative address is relative to; undefined for most others, which are not. */
export function baseOf(url) {
  if (ABSOLUTE.test(url)) return undefined;
  try {
    const { document, location } = globalThis;
    return document ? document.baseURI : location && location.href;
  } catch (_) {
    return undefined; // some environments throw where they have none
  }
}

export function originOf(url) {
  const said = ABSOLUTE.exec(url);
  if (said) return said[0];
  try {
    return addressOf(url).origin;
  } catch (_) {
    return '';
  }
}

/** A parsed address, relative to the page unless told otherwise. Throws for what is none. */
export function addressOf(url, base = baseOf(url)) {
  // Not written `new URL`: bundlers take that for the address of a file to be bundled.
  const Address = globalThis.URL;
  return new Address(url, base);
}
