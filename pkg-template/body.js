// The reading of a body, chunk by chunk and within limits. However it ends, nothing is left behind: no timer, no
// listener, no open connection.

import { errorName, member } from './snippets/answer.js';
import { LONGEST_TIMER_MS, aborted, giveUp, listen, reasonOf, unlisten } from './snippets/attempt.js';
import { monotonicNow } from './snippets/request.js';
import { isSteadError, wrongOption } from './snippets/stead_error.js';
import { Utf8Encoder } from './utf8.js';

/** How a body ended, as extras/answer_reader.rs counts it. */
export const CLOSED = 0, TIMED_OUT = 2, CANCELLED = 3;
const CUT = 1;

/** So many empty chunks in a row are no body: an endless row of them would leave no turn to the timer and the page. */
const MOST_EMPTY = 1000;

/** Clocks that part by more than this, while something went on, stood still or were set. */
const APART_MS = 2000;

/** Milliseconds since now, on the clock that says more: one of them stops while a machine sleeps, the other may be set. */
export function stopwatch() {
  const beganAt = monotonicNow(), wallAt = Date.now();
  const both = () => [monotonicNow() - beganAt, Date.now() - wallAt];
  const elapsed = () => Math.max(...both());
  /** NaN if the machine slept meanwhile. */
  elapsed.awake = () => {
    const [ms, wallMs] = both();
    return Math.abs(ms - wallMs) > APART_MS ? NaN : ms;
  };
  return elapsed;
}

/**
 * `signal` ends the reading, and so does `heard`, that of the call which the response came from: not every transport
 * listens to it. `elapsed` is counted in `totalMs`. `ended` is undefined while there may be more; `reason` is that of an
 * abort. `take` is given each chunk and says whether whoever waits is to hear of it.
 */
export function openBody(response, { totalMs, idleMs, signal, elapsed = stopwatch() }, heard, take) {
  const source = open(response);
  const callers = [{ signal }, { signal: heard }];
  let timer, waiter, waitsSince, empty = 0;

  /** Milliseconds left; 0 or less when time is up. */
  const left = () => Math.min(
    waiter ? idleMs - (monotonicNow() - waitsSince) : Infinity,
    totalMs < Infinity ? totalMs - elapsed() : Infinity, // the clocks cost more than the rest of a chunk
  );
  /** Whether it has ended, after asking everybody who may end it. Another listener may have kept the event of an abort from us. */
  const isOver = () => {
    const caller = callers.find(aborted);
    if (caller) body.end(CANCELLED, reasonOf(caller));
    else if (left() <= 0) body.end(TIMED_OUT);
    return body.ended !== undefined;
  };
  const ring = () => {
    timer = undefined;
    if (!isOver()) wind();
  };
  // One that is wound already rings before it is too late.
  const wind = () => {
    const ms = left();
    if (timer === undefined && ms <= LONGEST_TIMER_MS) timer = setTimeout(ring, Math.ceil(ms));
  };

  const body = {
    ended: undefined,
    reason: undefined,
    /**
     * A promise that is kept once `take` wants to be heard, or the body has ended. One at a time. A stream has thousands
     * of chunks, most of them of no interest to anybody but `take`: those cost no promise of ours.
     */
    next: () => new Promise((resolve, reject) => {
      if (body.ended !== undefined) return resolve();
      waiter = { resolve, reject };
      waitsSince = monotonicNow();
      if (!isOver()) read();
    }),
    /** Ends it; whoever waits gets undefined. */
    end(how, reason) {
      if (body.ended !== undefined) return;
      body.ended = how;
      body.reason = reason;
      clearTimeout(timer);
      for (const caller of callers) unlisten(caller, isOver);
      if (how !== CLOSED) giveUp(response, reason);
      source.cancel(reason);
      wake();
    },
  };
  const wake = () => {
    const { resolve } = waiter || {};
    waiter = undefined;
    if (resolve) resolve();
  };
  const read = () => {
    if (timer === undefined) wind();
    try {
      const step = source.read();
      (step instanceof Promise ? step : Promise.resolve(step)).then(arrived, failed);
    } catch (_) {
      body.end(CUT); // somebody's own stream
    }
  };
  const arrived = (step) => {
    // A body that never leaves the timer a turn ends here.
    if (isOver()) return;
    let chunk;
    try {
      if (!step.done) chunk = bytes(step.value);
    } catch (_) {
      return body.end(CUT); // somebody's own stream
    }
    if (chunk === undefined) return body.end(CLOSED);
    empty = chunk.length === 0 ? empty + 1 : 0;
    if (empty > MOST_EMPTY) return body.end(CUT);
    try {
      if (take(chunk)) return wake();
    } catch (error) {
      return waiter && waiter.reject(error);
    }
    // An empty one is no sign of life.
    if (empty === 0) waitsSince = monotonicNow();
    read();
  };
  const failed = (error) => {
    if (isOver()) return;
    if (isSteadError(error, 'ETIMEOUT')) body.end(TIMED_OUT);
    else if (errorName(error) === 'AbortError') body.end(CANCELLED, error);
    else body.end(CUT);
  };

  if (!isOver()) for (const caller of callers) if (caller.signal) listen(caller, isOver);
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

/** Throws at what holds no bytes. */
function bytes(chunk) {
  if (typeof chunk === 'string') return new (typeof TextEncoder === 'function' ? TextEncoder : Utf8Encoder)().encode(chunk);
  if (chunk instanceof Uint8Array && chunk.length > 0) return chunk; // a detached one has no length
  // A DataView takes buffers only, those of other frames, too; of a number an array would be made.
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(chunk) ? chunk : new DataView(chunk);
  return new Uint8Array(buffer, byteOffset, byteLength);
}
