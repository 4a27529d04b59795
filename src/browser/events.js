// `subscribe`: who wants to know of changes. What a listener throws, or what its promise rejects with, breaks nothing.

import { wrongOption } from './stead_error.js';

const listeners = new Set();

/** Gives back the function that ends it. */
export function subscribe(listener) {
  if (typeof listener !== 'function') throw wrongOption('listener', 'a function', listener);
  // A function of its own each time, so that one listener may subscribe twice.
  const told = (event) => listener(event);
  listeners.add(told);
  return () => void listeners.delete(told);
}

export const announceCoolDown = (host, untilMs) => emit({ type: 'cool-down', host, untilMs });
export const announceCircuit = (call, host, from, to) => emit({ type: 'circuit', key: shown(call.circuitKey, host), from, to });
export const announceBudget = (host, change, left) => emit({ type: 'retry-budget', host, change, left });

/** A circuit's key without the host that is in it; a key that the caller chose is shown as it is. */
export const shown = (key, host) => key.replace(/^https?:\/\/[^/{]*/, host);

function emit(event) {
  for (const listener of [...listeners]) quietly(listener, Object.assign({}, event));
}

/** Calls somebody's function. Gives what it gave, or undefined. */
export function quietly(listener, event) {
  try {
    const said = listener(event);
    if (typeof said === 'object') Promise.resolve(said).catch(() => {});
    return said;
  } catch (_) {
    return undefined;
  }
}
