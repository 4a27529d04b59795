// One timer for everything that waits on this page, and with it the heartbeat: a timer that comes late tells that the
// page or the machine stood still, even where both clocks went on. It runs only while something waits. What the page
// itself says of being frozen is heard by one listener for its whole life, so a call costs one timer and nothing else.

import { LONGEST_TIMER_MS } from './attempt.js';
import { takeSuspension, watchPage } from './lifecycle.js';
import { monotonicNow } from './request.js';

const FIRST_BEAT_MS = 1000, BEAT_MS = 5000;
/** A beat that comes later than this was held up by more than a busy page. */
const LATE_MS = 2000;

const alarms = new Set();
let timer;
/** When the timer fires, on the monotonic clock, and what could clear it when it was set. */
let firesAt, clearedBy;
/** How many alarms want the heartbeat, when it is due, and how long the page is known to have stood still. */
let beating = 0, beatAt, asleep = 0;

/**
 * Calls `ring` when `ms`, which may be infinite, have passed since then on the monotonic clock, until it is switched `off`.
 * `byWall`: time asleep counts, too. `beats`: something is under way meanwhile, and it matters whether the page stood still.
 * That counts from now: what the page's own code took before was no sleep.
 */
export function alarm(since, ms, byWall, beats, ring) {
  const mono = monotonicNow();
  // More than a timer can count is no limit.
  const ends = ms > LONGEST_TIMER_MS ? Infinity : since + ms;
  const one = { mono: ends, wall: byWall ? Date.now() + ends - mono : Infinity, beats, ring };
  let next = timer === undefined ? one.mono : Math.min(one.mono, firesAt);
  if (beats) {
    if (beating++ === 0) {
      beatAt = mono + FIRST_BEAT_MS;
      watchPage();
    }
    next = Math.min(next, beatAt);
  }
  set(mono, next);
  alarms.add(one);
  return one;
}

export function off(one, mono) {
  if (!alarms.delete(one)) return;
  if (one.beats) {
    // A beat that is late by now would not be missed any more.
    if (beating === 1) asleepMs(mono);
    beating--;
  }
  if (alarms.size === 0) stop();
}

/** How long the page has stood still so far. */
export function asleepMs(mono) {
  if (beating > 0) {
    const late = mono - beatAt;
    const slept = Math.max(late > LATE_MS ? late : 0, takeSuspension());
    if (slept > 0) {
      asleep += slept;
      beatAt = mono + BEAT_MS;
    }
  }
  return asleep;
}

/** A timer that was set before the page's tests replaced the timers cannot be cleared; it will find out by itself. */
function stop() {
  if (clearedBy === globalThis.clearTimeout) clearTimeout(timer);
  timer = undefined;
}

function set(mono, next) {
  // The same again would do nothing, unless the page's tests have taken the timers along.
  if (timer !== undefined && next === firesAt && clearedBy === globalThis.clearTimeout) return;
  stop();
  firesAt = next;
  if (next === Infinity) return;
  clearedBy = globalThis.clearTimeout;
  // A page's tests may have a stub that calls at once, in the middle of this.
  let atOnce = true;
  timer = setTimeout(() => (atOnce ? Promise.resolve(true).then(fire.bind(null, next)) : fire(next)), Math.ceil(Math.max(next - mono, 0)));
  atOnce = false;
}

/** Where no time passes, `atOnce`, rests are over, but nothing that is under way has run out of time. */
function fire(due, atOnce) {
  // An old one, unless the one that took its place went with the timers of the page's tests.
  if (firesAt !== due && clearedBy === globalThis.clearTimeout) return;
  timer = undefined;
  // A timer may be early by a fraction, and a clock may stand still, as a page's own tests may have it.
  const mono = Math.max(monotonicNow(), due), wall = Date.now();
  asleepMs(mono);
  if (beating > 0 && mono >= beatAt) beatAt = mono + BEAT_MS;
  let next = beating > 0 && !atOnce ? beatAt : Infinity;
  const rung = [];
  for (const one of alarms) {
    if (atOnce && one.beats) continue;
    const left = Math.min(one.mono - mono, one.wall - wall);
    if (left > 0) {
      next = Math.min(next, mono + left);
    } else {
      rung.push(one);
      // It rings once.
      one.mono = one.wall = Infinity;
    }
  }
  set(mono, next);
  for (const one of rung) one.ring(atOnce);
}
