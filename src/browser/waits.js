// What takes time in the life of a call. Each of these gives back at once how it ended, or that it has not: then the
// engine puts the call aside, and goes on with it when the call is resumed, once, with how it ended.
//
// This is JavaScript because a Rust future costs thirty times as much as a promise to await, and the code that makes one
// of the other is as large as this file.

import { send as sendOnce } from './accounts.js';
import { field, peek as textOf } from './answer.js';
import { abandon, aborted, answered, failed, stop } from './attempt.js';
import { monotonicNow, prepared } from './request.js';
import { alarm, off } from './watch.js';

/** How something ended, as host.rs of the engine counts it; 0 while it has not. */
export const WAITS = 0, DONE = 1, FAILED = 2, TIMED_OUT = 3, ABORTED = 4;

/**
 * Waits for `work` (for ever, if there is none), at most `limitMs` and until the caller aborts; the abort wins a draw.
 * `done` is told how it ended and with what, and gives back what the engine is told.
 */
function first(call, limitMs, done, work) {
  const end = (how, value) => {
    // Something else came first.
    if (call.wait !== end) return;
    call.now = monotonicNow();
    release(call);
    const told = done(aborted(call) ? ABORTED : how, value);
    if (told !== WAITS) call.resume(told);
  };
  // Somebody must hear it even after an abort: a rejection that nobody hears is reported by the page.
  if (work) work.then((value) => end(DONE, value), (error) => end(FAILED, error));
  // The engine has stopped meanwhile, and the caller was told so: this wait never ends.
  if (call.over) return WAITS;
  if (aborted(call)) return done(ABORTED);
  call.wait = end;
  // A read forgives the machine its sleep; a write is not repeated anyway.
  const { kind, reads } = call;
  const beats = work !== undefined && (kind === 'ai' || reads || limitMs < Infinity);
  if (beats || limitMs < Infinity) {
    call.alarm = alarm(call.now, limitMs, kind === 'ai' || !reads, beats, (atOnce) => end(TIMED_OUT, atOnce));
  }
  return WAITS;
}

/** Takes out of the page what a wait has put there. */
export function release(call) {
  if (call.alarm) off(call.alarm, call.now);
  call.alarm = call.wait = undefined;
}

/**
 * For the caller's signal. The transport hears at once; the call goes on in a turn of its own, since whoever aborts may be in
 * the middle of something.
 */
export const onAbort = (call) => () => {
  abandon(call);
  Promise.resolve().then(() => call.wait && call.wait(ABORTED));
};

/** Completes the request of the next attempt. */
export function prepare(call, sent, leftMs) {
  const work = prepared(call, sent, leftMs);
  return work ? first(call, leftMs, (how, error) => {
    if (how === FAILED) failed(call, error);
    return how;
  }, work) : DONE;
}

/** Sends it once. */
export function send(call, limitMs) {
  return first(call, limitMs, (how, value) => {
    if (how === DONE) return answered(call, value) ? DONE : FAILED;
    if (how === FAILED) failed(call, value);
    else stop(call, how === TIMED_OUT ? limitMs : undefined);
    return how;
  }, sendOnce(call, limitMs < Infinity));
}

/** Waits. A timer may ring a little early, but a server's wait is a floor: for all but a stub that knows no time. */
export function sleep(call, ms) {
  const endsAt = call.now + ms;
  const wait = (left) => first(call, left, (how, atOnce) => {
    if (how === ABORTED) return ABORTED;
    const rest = endsAt - call.now;
    // A clock that stands still, as a page's own tests may have it, must not hold the call for ever.
    return rest > 0 && rest < left && !atOnce ? wait(rest) : DONE;
  });
  return ms > 0 ? wait(ms) : aborted(call) ? ABORTED : DONE;
}

/** Reads a copy of an error's body, perhaps only of JSON; leaves its text, if there was any, in `call.text`. */
export function peek(call, limitMs, jsonOnly) {
  call.text = undefined;
  if (jsonOnly && !/json/i.test(field(call.answer, 'content-type'))) return DONE;
  const { text, stop: stopReading } = textOf(call.answer);
  return first(call, limitMs, (how, value) => {
    stopReading();
    if (how === DONE) call.text = value;
    return how;
  }, text);
}
