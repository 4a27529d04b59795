// The package's public functions. What they do is written in types.d.ts; here each finds its way to the engine.

import { ask, call } from './engine.js';
import { forgetPage } from './snippets/page_state.js';
import { copyMembers } from './snippets/request.js';
import { forgetTabs } from './snippets/tabs.js';

export { askAi } from './ask_ai.js';
export { collapseDuplicates } from './collapse_duplicates.js';
export { engine, ready } from './engine.js';
export { explain } from './explain.js';
export { normalizeUrl } from './normalize_url.js';
export { readAiResult, streamAi } from './read_ai.js';
export { readAll } from './read_all.js';
export { getCallInfo } from './snippets/accounts.js';
export { subscribe } from './snippets/events.js';
export { SteadError, isSteadError } from './snippets/stead_error.js';
export { resetTelemetry, telemetry } from './telemetry.js';
export { writeOnce } from './write_once.js';

export function spFetch(input, init) {
  return call('spFetch', input, init, undefined);
}

export function aiFetch(input, init) {
  return call('aiFetch', input, init, undefined);
}

export function createSpFetch(defaults) {
  return withDefaults('spFetch', defaults);
}

export function createAiFetch(defaults) {
  return withDefaults('aiFetch', defaults);
}

export function readRetryAfter(from, nowMs) {
  return orNull(ask('readRetryAfter', null, from, orUndefined(nowMs)));
}

export function readRateLimit(from, nowMs) {
  return orNull(ask('readRateLimit', null, from, orUndefined(nowMs)));
}

/** What other tabs said is known to this copy alone. */
export function resetPageState() {
  forgetPage();
  forgetTabs();
}

/** Reads the defaults once. A getter that throws there would break the page at import: it fails the calls instead. */
function withDefaults(name, defaults) {
  let snapshot;
  try {
    snapshot = copyMembers('defaults', defaults);
  } catch (error) {
    return () => Promise.reject(error);
  }
  return (input, init) => call(name, input, init, snapshot);
}

// wasm turns an argument into a number on its own account, and an object may throw while it does.
function orUndefined(nowMs) {
  return typeof nowMs === 'number' ? nowMs : undefined;
}

function orNull(value) {
  return value === undefined ? null : value;
}
