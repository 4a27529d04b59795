/**
 * Makes a User Timing measure of every attempt and every wait of every call of this copy of the package, when the call has
 * ended: `steadfetch {method} {template}` and `steadfetch wait {method} {template}`. They appear in recordings of the performance
 * panel (in Chromium in a track `steadfetch`) and go to `PerformanceObserver`s; none stays in the page's buffer. Gives the
 * function that ends it. Does nothing where there is no User Timing.
 *
 * @example
 * if (debugging) measureWithUserTiming();
 */
export function measureWithUserTiming(): () => void;
