// `subscribe`: who wants to know of changes and calls.
//
// No call ever waits for a listener. What is told is told two turns later: by then a call that has ended was settled and
// whoever awaits it has gone on. What a listener throws, or what its promise rejects with,
// breaks nothing. Each gets a copy of its own, and where nobody listens nothing is made.

import { ask } from './ask.js';
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

/** Worth asking before an event is made. */
export const isHeard = () => listeners.size > 0;

/** `State` of circuit.rs and `Drawn` of host.rs, in their order. */
export const STATES = ['closed', 'open', 'half-open'];
const CHANGES = ['spent', 'refunded', 'empty'];

/** The template of a call's host. */
export const hostOf = ({ origin }) => ask('hostOf', '', origin);

export function announceCoolDown(call, untilMs) {
  if (isHeard()) emit({ type: 'cool-down', host: hostOf(call), untilMs });
}

export function announceCircuit(call, from, to) {
  if (isHeard()) emit({ type: 'circuit', key: shown(call.circuitKey, hostOf(call)), from: STATES[from], to: STATES[to] });
}

export function announceBudget(call, change, left) {
  if (isHeard()) emit({ type: 'retry-budget', host: hostOf(call), change: CHANGES[change], left });
}

/** A circuit's key without the host that is in it; a key that the caller chose is shown as it is. */
export const shown = (key, host) => key.replace(/^https?:\/\/[^/{]*/, host);

/** To those who listen now. */
export function emit(event) {
  if (!isHeard()) return;
  const told = copy(event), heardBy = [...listeners];
  Promise.resolve().then(() => {}).then(() => {
    for (const listener of heardBy) if (listeners.has(listener)) quietly(listener, copy(told));
  });
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
