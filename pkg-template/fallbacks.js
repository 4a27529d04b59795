// What is said in the model's place, and where that comes from. Each source has a clock of its own; one that throws or
// has nothing passes the question on to the next.

import { bounded } from './bounded.js';
import { aborted, reasonOf } from './snippets/attempt.js';
import { callback, isStray, limit } from './snippets/options.js';
import { timeoutError, wrongOption } from './snippets/stead_error.js';

const SOURCES = ['backup-model', 'cache', 'plain'];
const REASONS = ['deadline', 'unavailable', 'circuit-open', 'refused', 'truncated', 'error'];
/** Only who asks for these gets them: the same question would be refused or cut again. */
const ASKED_FOR = ['refused', 'truncated'];

const said = (what, names) => `${what} ${names.map((name) => `'${name}'`).join(', ')}`;
const SOURCE = /* @__PURE__ */ said('one of', SOURCES), REASON_LIST = /* @__PURE__ */ said('an array of', REASONS);

/** Getters are read once; one that throws, in an array, too, is as wrong as a value that is not allowed. */
function read(name, allowed, get) {
  try {
    return get();
  } catch (_) {
    throw wrongOption(name, allowed, undefined);
  }
}

function array(name, allowed, value) {
  const list = read(name, allowed, () => (Array.isArray(value) ? Array.from(value) : undefined));
  if (!list) throw wrongOption(name, allowed, value);
  return list;
}

function fallback(name, value) {
  if (typeof value !== 'object' || value === null) throw wrongOption(name, '{ source, get }', value);
  const part = (member, allowed) => read(`${name}.${member}`, allowed, () => (isStray(value, member) ? undefined : value[member]));
  const source = part('source', SOURCE), on = part('on', REASON_LIST);
  if (!SOURCES.includes(source)) throw wrongOption(`${name}.source`, SOURCE, source);
  const reasons = on === undefined ? REASONS.filter((reason) => !ASKED_FOR.includes(reason)) : array(`${name}.on`, REASON_LIST, on);
  for (const reason of reasons) if (!REASONS.includes(reason)) throw wrongOption(`${name}.on`, REASON_LIST, reason);
  const get = callback(`${name}.get`, part('get', 'a function'));
  return { source, reasons, get: (...args) => Reflect.apply(get, value, args) };
}

export const FALLBACKS = {
  fallbacks: (name, value) => array(name, 'an array of { source, get }', value).map((one, at) => fallback(`${name}[${at}]`, one)),
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

/** A promise of what it gives in time, or of undefined. Rejects on an abort only. */
async function asked(get, failure, ms, signal) {
  const call = { signal };
  if (aborted(call)) throw reasonOf(call);
  const controller = new AbortController();
  const given = (async () => get(failure, controller.signal))().catch(() => undefined);
  try {
    return await bounded(call, given, ms, () => timeoutError(ms));
  } catch (end) {
    controller.abort(end);
    if (aborted(call)) throw end;
    return undefined;
  }
}
