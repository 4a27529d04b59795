// A full garbage collection, for tests that prove that nothing is kept. run.mjs starts the browsers so that one of the
// two ways exists. What finalizers report comes in a later task, so loop until the condition you are after holds.

import { nextTask } from './next_task.mjs';

export async function collectGarbage() {
  if (typeof globalThis.gc === 'function') globalThis.gc();
  else await TestUtils.gc();
  await nextTask();
}
