// Lets go until the page's next task. Not by a timer: a test may have put a clock of its own in their place.

export function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

// Tests put a stub in its place.
const now = performance.now.bind(performance);
const PATIENCE_MS = 20_000;

/** Looks once a task, and gives what it found; `condition` may need its time, too. */
export async function until(condition) {
  const began = now();
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (now() - began > PATIENCE_MS) throw new Error(`not so: ${condition}`);
    await nextTask();
  }
}
