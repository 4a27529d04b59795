// Engine 'none': WebAssembly is refused on this page, or has stopped. No rule can be applied, so nothing is ever
// repeated: the request is sent once. It is taken apart and put together by the same code as with the engine, so what a
// caller cannot do without is still honoured: the transport, the signal, a total time, a string as idempotency key, and
// `headers` and `digest` as functions, since the request would go out without its tokens.

import { LONGEST_TIMER_MS, aborted, answered, handOver, listen, reasonOf, send, stop, unlisten } from './snippets/attempt.js';
import { monotonicNow, prepared, takeCall } from './snippets/request.js';
import { timeoutError } from './snippets/stead_error.js';

/** @param {'spFetch' | 'aiFetch'} name */
export function plainFetch(name, input, init, defaults) {
  return new Promise((resolve, reject) => {
    const kind = name === 'spFetch' ? 'sp' : 'ai';
    const call = takeCall(kind, input, init, defaults);
    const { idempotencyKey, totalMs = Infinity } = call.options;
    if (kind === 'ai' && !call.reads && typeof idempotencyKey === 'string') call.ownKey = idempotencyKey;

    const began = monotonicNow();
    let timer;
    const settle = (how, value) => {
      call.over = true;
      clearTimeout(timer);
      unlisten(call, onAbort);
      how(value);
    };
    const onAbort = () => {
      stop(call);
      settle(reject, reasonOf(call));
    };
    const onTime = () => {
      stop(call, totalMs);
      settle(reject, timeoutError(totalMs));
    };
    if (aborted(call)) return onAbort();
    listen(call, onAbort);
    if (totalMs <= LONGEST_TIMER_MS) timer = setTimeout(onTime, totalMs);
    // A page's tests may have a stub that calls at once.
    if (call.over) return;

    const sent = async () => {
      await prepared(call, 0, totalMs);
      // Ended while `headers` or `digest` were asked: nothing is sent any more.
      if (call.over) return;
      const answer = await send(call, timer !== undefined);
      if (call.over) return;
      if (!answered(call, answer)) throw call.error;
      handOver(call, monotonicNow() - began);
      settle(resolve, answer);
    };
    sent().catch((error) => settle(reject, error));
  });
}
