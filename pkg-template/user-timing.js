// Calls in the browser's own performance panel: a measure for each attempt and each wait. An entry is taken out of the
// page's buffer as soon as it is made: recordings and observers have it by then, and the buffer does not grow.

import { subscribe } from './index.js';

export function measureWithUserTiming() {
  return subscribe((event) => {
    if (event.type === 'done') show(event);
  });
}

function show({ startedAt, info: { method, endpoint, attempts, totalMs, waitedMs, stop } }) {
  // Where the call began on the clock of the performance panel.
  const zero = performance.now() - (Date.now() - startedAt);
  const name = `${method} ${endpoint}`;
  // What was not waited between attempts was waited before the first, at a gate.
  const before = attempts.reduce((left, { startedMs, elapsedMs, waitMs }, n) => {
    const next = attempts[n + 1];
    return waitMs === null ? left : left - ((next ? next.startedMs : totalMs) - startedMs - elapsedMs);
  }, waitedMs);
  let end = 0, waits = before > 1;
  attempts.forEach(({ startedMs, elapsedMs, status, error, waitMs, decision }, repeats) => {
    if (waits) measure(`steadfetch wait ${name}`, zero, end, startedMs, 'secondary-light', []);
    const failed = status === null || status >= 400;
    const details = [['answer', String(status === null ? error : status)], ['repeats', String(repeats)], ['decision', decision]];
    measure(`steadfetch ${name}`, zero, startedMs, startedMs + elapsedMs, failed ? 'error' : 'primary', details);
    end = startedMs + elapsedMs;
    waits = waitMs !== null;
  });
  if (waits) measure(`steadfetch wait ${name}`, zero, end, totalMs, 'secondary-light', [['stop', stop]]);
}

/** `devtools`: Chromium shows it in a track of its own. Throws without User Timing, or with one from before 2021: as a listener may. */
function measure(name, zero, from, to, color, properties) {
  const detail = { devtools: { dataType: 'track-entry', track: 'steadfetch', color, properties } };
  performance.measure(name, { start: Math.max(zero + from, 0), end: Math.max(zero + to, 0), detail });
  performance.clearMeasures(name);
}
