// The page's two clocks in the hand of a test: they stand still until it moves them. Timers go on as ever.

import { replace } from './replace.mjs';

/** `performance.now()` and `Date.now()`, for the rest of the test. */
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
