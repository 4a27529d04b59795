// A full garbage collection, for tests that prove that nothing is kept. run.mjs starts the browsers so that one of the
// two ways exists. What finalizers report comes in a later task, so loop until the condition you are after holds.

export async function collectGarbage() {
  if (typeof globalThis.gc === 'function') globalThis.gc();
  else await TestUtils.gc();
  await nextTask();
}

/** Not by a timer: a test may have put a clock of its own in their place. */
function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
