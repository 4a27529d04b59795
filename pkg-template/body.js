// The reading of a body, chunk by chunk and within limits. However it ends, nothing is left behind: no timer, no
// listener, no open connection.

import { errorName, member } from './snippets/answer.js';
import { aborted, giveUp, listen, reasonOf, unlisten } from './snippets/attempt.js';
import { monotonicNow } from './snippets/request.js';
import { isSteadError, wrongOption } from './snippets/stead_error.js';
import { Utf8Encoder } from './utf8.js';

/** How a body ended, as extras/answer_reader.rs counts it. */
export const CLOSED = 0, TIMED_OUT = 2, CANCELLED = 3;
const CUT = 1;

/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2147483647;

/**
 * `signal` ends the reading; `heard` is one that the transport hears by itself, asked only for what an error means.
 * `ended` is undefined while there may be more; `reason` is that of an abort.
 */
export function openBody(response, { totalMs, idleMs, signal }, heard) {
  const source = open(response);
  const limits = { signal };
  const beganAt = monotonicNow(), wallAt = Date.now();
  let timer, deliver, waitsSince;

  /** Milliseconds left; 0 or less when time is up. The deadline is on the clock of the wall: a machine that slept was late. */
  const left = () => {
    const now = monotonicNow();
    const idle = deliver ? idleMs - (now - waitsSince) : Infinity;
    return Math.min(idle, totalMs - Math.max(now - beganAt, Date.now() - wallAt));
  };
  const ring = () => {
    timer = undefined;
    // Nobody waits: the next one who asks looks at the clock.
    if (!deliver) return;
    const ms = left();
    if (ms > 0) wind(ms);
    else body.end(TIMED_OUT);
  };
  const wind = (ms) => {
    if (timer === undefined && ms <= LONGEST_TIMER_MS) timer = setTimeout(ring, Math.ceil(ms));
  };
  const onAbort = () => body.end(CANCELLED, reasonOf(limits));

  const body = {
    ended: undefined,
    reason: undefined,
    /** A promise of the next chunk, or of undefined once the body has ended. */
    next: () => new Promise((resolve) => {
      if (body.ended !== undefined) return resolve();
      deliver = resolve;
      waitsSince = monotonicNow();
      const ms = left();
      if (ms <= 0) return body.end(TIMED_OUT);
      wind(ms);
      try {
        source.read().then(arrived, failed);
      } catch (_) {
        body.end(CUT); // somebody's own stream
      }
    }),
    /** Ends it; whoever waits gets undefined. */
    end(how, reason) {
      if (body.ended !== undefined) return;
      body.ended = how;
      body.reason = reason;
      clearTimeout(timer);
      unlisten(limits, onAbort);
      if (how !== CLOSED) giveUp(response, reason);
      source.cancel(reason);
      hand(undefined);
    },
  };
  const hand = (chunk) => {
    const resolve = deliver;
    deliver = undefined;
    if (resolve) resolve(chunk);
  };
  const arrived = ({ done, value }) => {
    if (body.ended !== undefined) return;
    if (done) {
      source.cancel = () => {}; // it is over by itself
      return body.end(CLOSED);
    }
    let chunk;
    try {
      chunk = bytes(value);
    } catch (_) {
      return body.end(CUT);
    }
    // A body that never leaves the timer a turn ends here.
    if (left() <= 0) return body.end(TIMED_OUT);
    hand(chunk);
  };
  const failed = (error) => {
    if (isSteadError(error, 'ETIMEOUT')) body.end(TIMED_OUT);
    else if (aborted({ signal: heard })) body.end(CANCELLED, reasonOf({ signal: heard }));
    else if (errorName(error) === 'AbortError') body.end(CANCELLED, error);
    else body.end(CUT);
  };

  if (aborted(limits)) onAbort();
  else if (signal) listen(limits, onAbort);
  return body;
}

/** `read` and `cancel` of a real body, or of what a mock or an adapter has in its place. */
function open(response) {
  const content = member(response, 'body');
  if (member(response, 'bodyUsed') === true) throw unread(response);
  if (content === null) return once(() => undefined);
  let reader;
  try {
    if (typeof content.getReader === 'function') reader = content.getReader();
    else if (typeof content[Symbol.asyncIterator] === 'function') reader = iterated(content[Symbol.asyncIterator]());
  } catch (_) {
    // Locked, or not there. In jsdom and in mocks there are only the methods.
    if (content !== undefined) throw unread(response);
  }
  if (reader) return { read: () => reader.read(), cancel: (reason) => quietly(() => reader.cancel(reason)) };
  if (typeof member(response, 'arrayBuffer') === 'function') return once(() => response.arrayBuffer());
  if (typeof member(response, 'text') === 'function') return once(() => response.text());
  if (typeof member(response, 'json') === 'function') return once(async () => JSON.stringify(await response.json()));
  throw unread(response);
}

const unread = (response) => wrongOption('response', 'a Response whose body nobody has read yet', response);

/** A body that comes as one chunk. */
function once(get) {
  let read = false;
  return {
    async read() {
      if (read) return { done: true };
      read = true;
      const value = await get();
      return { done: value === undefined, value };
    },
    cancel() {},
  };
}

const iterated = (iterator) => ({ read: () => iterator.next(), cancel: () => iterator.return && iterator.return() });

function quietly(call) {
  (async () => call())().catch(() => {});
}

function bytes(chunk) {
  if (typeof chunk === 'string') return new (typeof TextEncoder === 'function' ? TextEncoder : Utf8Encoder)().encode(chunk);
  return ArrayBuffer.isView(chunk) ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength) : new Uint8Array(chunk);
}
