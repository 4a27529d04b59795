// Timers of less than a second, as the peers use them to wait before a first repeat, pass without time. Limits and
// heartbeats are longer, and stay what they are.

const SHORT_MS = 1_000;

/** Until the function that it gives is called. */
export function fastWaits() {
  const { setTimeout, clearTimeout } = globalThis;
  const waiting = new Map();
  let last = 0; // the browser's own numbers are positive
  globalThis.setTimeout = (act, ms = 0, ...rest) => {
    if (ms >= SHORT_MS) return setTimeout(act, ms, ...rest);
    const id = --last;
    waiting.set(id, act);
    queueMicrotask(() => waiting.delete(id) && act(...rest));
    return id;
  };
  globalThis.clearTimeout = (id) => waiting.delete(id) || clearTimeout(id);
  return () => Object.assign(globalThis, { setTimeout, clearTimeout });
}
