// What is said in the model's place, and where that comes from. Each source has a clock of its own; one that throws or
// has nothing passes the question on to the next.

import { aborted, listen, reasonOf, unlisten } from './snippets/attempt.js';
import { callback, limit } from './snippets/options.js';
import { timeoutError, wrongOption } from './snippets/stead_error.js';

const SOURCES = ['backup-model', 'cache', 'plain'];
const REASONS = ['deadline', 'unavailable', 'circuit-open', 'refused', 'truncated', 'error'];
/** Only who asks for these gets them: the same question would be refused or cut again. */
const ASKED_FOR = ['refused', 'truncated'];
const LONGEST_TIMER_MS = 2147483647;

const quoted = (names) => names.map((name) => `'${name}'`).join(', ');

/** Getters are read once. */
function fallback(name, value) {
  const part = (member) => {
    try {
      return value[member];
    } catch (cause) {
      throw wrongOption(`${name}.${member}`, 'readable', undefined);
    }
  };
  if (typeof value !== 'object' || value === null) throw wrongOption(name, '{ source, get }', value);
  const source = part('source'), on = part('on');
  if (!SOURCES.includes(source)) throw wrongOption(`${name}.source`, `one of ${quoted(SOURCES)}`, source);
  const reasons = on === undefined ? REASONS.filter((reason) => !ASKED_FOR.includes(reason)) : Array.isArray(on) ? Array.from(on) : [undefined];
  for (const reason of reasons) if (!REASONS.includes(reason)) throw wrongOption(`${name}.on`, `an array of ${quoted(REASONS)}`, reason === undefined ? on : reason);
  return { source, reasons, get: callback(`${name}.get`, part('get')) };
}

export const FALLBACKS = {
  fallbacks(name, value) {
    if (!Array.isArray(value)) throw wrongOption(name, 'an array of { source, get }', value);
    return Array.from(value, (one, at) => fallback(`${name}[${at}]`, one));
  },
  fallbackMs: limit,
};

/** The first that has a text, as `{ text, source }`. Rejects on an abort only. */
export async function firstOf({ fallbacks, fallbackMs, signal }, failure) {
  for (const { source, reasons, get } of fallbacks) {
    if (!reasons.includes(failure.reason)) continue;
    const text = await asked(get, Object.assign({}, failure), fallbackMs, signal);
    if (typeof text === 'string' && text !== '') return { text, source };
  }
  return undefined;
}

/** A promise of what it gives in time. */
function asked(get, failure, ms, signal) {
  if (aborted({ signal })) return Promise.reject(reasonOf({ signal }));
  const controller = new AbortController();
  let timer, onAbort;
  const told = new Promise((resolve, reject) => {
    onAbort = () => {
      const reason = reasonOf({ signal });
      reject(reason);
      controller.abort(reason);
    };
    if (signal) listen({ signal }, onAbort);
    if (ms <= LONGEST_TIMER_MS) {
      timer = setTimeout(() => {
        resolve(undefined);
        controller.abort(timeoutError(ms));
      }, ms);
    }
    (async () => get(failure, controller.signal))().then(resolve, () => resolve(undefined));
  });
  const end = () => {
    clearTimeout(timer);
    if (signal) unlisten({ signal }, onAbort);
  };
  told.then(end, end);
  return told;
}
