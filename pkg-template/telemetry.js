// `telemetry`: what this page shares at the moment, in the names of the public contract.

import { ask } from './engine.js';
import { shown } from './snippets/events.js';
import { keysOf } from './snippets/page_state.js';

const GATES = 0, BUDGETS = 1, WINDOWS = 3;
const STATES = ['closed', 'open', 'half-open'];

/** The host of a key as a template; empty where the key is the caller's own. */
const hostOf = (key) => ask('hostOf', '', key);

export function telemetry() {
  return {
    circuits: entries(WINDOWS, ([state, failureRate, calls, reopensInMs], key) => ({
      key: shown(key, hostOf(key)), state: STATES[state], failureRate, calls, reopensInMs: STATES[state] === 'open' ? reopensInMs : null,
    })),
    coolDowns: entries(GATES, ([untilMs], key) => ({ host: hostOf(key), untilMs })),
    budgets: entries(BUDGETS, ([repeats, reserve], key) => ({ host: hostOf(key), repeats, reserve })),
  };
}

function entries(shelf, make) {
  const found = [];
  for (const one of keysOf(shelf)) {
    const numbers = ask('entryState', [], one, shelf);
    if (numbers.length > 0) found.push(make(numbers, one.origin));
  }
  return found;
}
