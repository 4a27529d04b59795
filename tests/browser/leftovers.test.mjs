// A signal, a page and an engine outlive thousands of calls, so a call leaves nothing behind in them.

import { expect } from '/node_modules/chai/index.js';
import { followersOf, listenersOn, timers } from './balance.mjs';
import { collectGarbage } from './collect_garbage.mjs';
import { each } from './each.mjs';
import { replace } from './replace.mjs';
import { importSized } from './wasm_size.mjs';

const ROUNDS = 10;
const CALLS = 1000;
const HOUR = 3_600_000;

/** A stub that throttles every fourth send. */
function transport() {
  let sent = 0;
  return async () => {
    if (sent++ % 4 === 0) return new Response('{}', { status: 429, headers: { 'retry-after-ms': '1' } });
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };
}

for (const any of [true, false]) {
  it(`${ROUNDS * CALLS} calls on one signal leave nothing, ${any ? 'with' : 'without'} AbortSignal.any`, async () => {
    if (!any) replace(AbortSignal, 'any', undefined);
    const { spFetch, aiFetch, size } = await importSized(`/pkg/index.mjs?any=${any}`);
    const { signal } = new AbortController();
    const listeners = listenersOn(signal);
    const followers = any ? followersOf(signal, replace) : [];
    const pending = timers(replace);
    const init = { fetch: transport(), signal, retryBudget: false, coolDown: false, backoff: { baseMs: 1 } };
    const one = async (n) => {
      const send = n % 2 ? spFetch : aiFetch;
      const response = await send('/api/x', n % 3 ? init : { ...init, timeout: HOUR });
      await response.text();
    };

    let before;
    for (let round = 0; round <= ROUNDS; round++) {
      await each(CALLS, one);
      if (any) expect(listeners.open.size).to.equal(0);
      expect(pending.open.size).to.be.at.most(1); // for the times of the bodies
      // What is bound to a body (a listener without AbortSignal.any, the caller's time) leaves when it is collected.
      while (listeners.open.size + pending.open.size > 0) await collectGarbage(); // mocha's time limit ends it
      before = before || size(); // the first round warms up
      expect(size()).to.deep.equal(before);
    }
    const calls = (ROUNDS + 1) * CALLS;
    expect(pending.added).to.be.at.least(calls / 3); // every third call waits; the limits of all share a timer
    // One signal follows the caller's; where there can be none, ours comes and goes.
    expect(followers.length).to.equal(any ? 1 : 0);
    expect(listeners.added > 0).to.equal(!any);
  });
}
