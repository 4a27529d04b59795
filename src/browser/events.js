// `subscribe`: who wants to know of changes and calls.
//
// No call ever waits for a listener. What is told is put into a queue, which is emptied two turns later: by then a call
// that has ended was settled and whoever awaits it has gone on. What a listener throws, or what its promise rejects with,
// breaks nothing. Each gets a copy of its own, and where nobody listens nothing is made.

import { wrongOption } from './stead_error.js';

const listeners = new Set();
/** Events, each with those who listened when it happened. */
let queue = [];

/** Gives back the function that ends it. */
export function subscribe(listener) {
  if (typeof listener !== 'function') throw wrongOption('listener', 'a function', listener);
  // A function of its own each time, so that one listener may subscribe twice.
  const told = (event) => listener(event);
  listeners.add(told);
  return () => void listeners.delete(told);
}

/** Worth asking before an event is made. */
export const isHeard = () => listeners.size > 0;

export const announceCoolDown = (host, untilMs) => emit({ type: 'cool-down', host, untilMs });
export const announceCircuit = (call, host, from, to) => emit({ type: 'circuit', key: shown(call.circuitKey, host), from, to });
export const announceBudget = (host, change, left) => emit({ type: 'retry-budget', host, change, left });

/** A circuit's key without the host that is in it; a key that the caller chose is shown as it is. */
export const shown = (key, host) => key.replace(/^https?:\/\/[^/{]*/, host);

export function emit(event) {
  if (isHeard() && queue.push([copy(event), [...listeners]]) === 1) Promise.resolve().then(() => {}).then(deliver);
}

function deliver() {
  const events = queue;
  queue = [];
  for (const [event, heardBy] of events) {
    for (const listener of heardBy) if (listeners.has(listener)) quietly(listener, copy(event));
  }
}

/** Of plain data, as events are. One when it happens, since an `onDone` may write into what it is given; then one each. */
function copy(value) {
  if (typeof value !== 'object' || value === null) return value;
  const made = Array.isArray(value) ? [] : {};
  for (const name of Object.keys(value)) made[name] = copy(value[name]);
  return made;
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
