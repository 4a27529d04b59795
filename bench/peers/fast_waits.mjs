// Timers of less than a second, as the peers use them to wait before a first repeat, pass at once, and both clocks go on by what
// they were set to: who looks whether a wait is really over must not find that it has only begun. Limits and heartbeats are
// longer, and stay what they are.

const SHORT_MS = 1_000;

/** Until the function that it gives is called. */
export function fastWaits() {
  const { setTimeout, clearTimeout } = globalThis;
  const mono = performance.now.bind(performance), wall = Date.now;
  const waiting = new Map();
  let last = 0; // the browser's own numbers are positive
  let passed = 0;
  performance.now = () => mono() + passed;
  Date.now = () => wall() + passed;
  globalThis.setTimeout = (act, ms = 0, ...rest) => {
    if (ms >= SHORT_MS) return setTimeout(act, ms, ...rest);
    const id = --last;
    waiting.set(id, act);
    queueMicrotask(() => {
      if (!waiting.delete(id)) return;
      passed += ms;
      act(...rest);
    });
    return id;
  };
  globalThis.clearTimeout = (id) => waiting.delete(id) || clearTimeout(id);
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    delete performance.now;
    Date.now = wall;
  };
}
