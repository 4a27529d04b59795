// The page's clocks in the hand of a test.

import FakeTimers from '/target/browser-tests/fake-timers.mjs';
import { afterwards, replace } from './replace.mjs';

/** `performance.now()` and `Date.now()` stand still until they are moved, for the rest of the test. Timers go on. */
export function stopClocks() {
  const time = { mono: performance.now(), wall: Date.now() };
  replace(performance, 'now', () => time.mono);
  replace(Date, 'now', () => time.wall);
  return {
    pass(ms) {
      time.mono += ms;
      time.wall += ms;
    },
    /** A laptop that is shut: only the wall clock goes on. */
    sleep(ms) {
      time.wall += ms;
    },
  };
}

/** Clocks and timers that move by `tick` only, for the rest of the test. The network goes on. */
export function virtualTime() {
  const mono = Math.floor(performance.now());
  const clock = FakeTimers.install({
    now: Date.now() - mono,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  afterwards(() => clock.uninstall());
  // It counts from zero, and what is shared on an older page would then lie further ahead than it can. In whole
  // milliseconds, since tests wait for sums of them.
  clock.tick(mono);
  return clock;
}

/** Moves virtual time on, from timer to timer, and lets the network come to rest before each. */
export async function pass(clock, ms, transport, held = 0) {
  let due = false;
  clock.setTimeout(() => (due = true), ms);
  for (;;) {
    await transport.rest(held);
    if (due) return;
    clock.next();
  }
}
