// `normalizeUrl` up to the engine: what the caller passed, made into a string and two numbers, and the latest answers,
// since pages ask for the same addresses again and again.

import { ask } from './engine.js';
import { member } from './snippets/answer.js';
import { isStray } from './snippets/options.js';

const OTHER = '{other}';
const QUERIES = ['drop', 'names', 'shape'];
/** Of each kind of template. */
const ANSWERS_KEPT = 200;
const LONGEST_KEPT = 2000;
/** By options: addresses and their templates, the oldest first. */
const answers = [];

export function normalizeUrl(url, options) {
  const address = typeof url === 'string' ? url : member(url, 'href');
  if (typeof address !== 'string') return OTHER;
  const query = Math.max(QUERIES.indexOf(said(options, 'query')), 0);
  const keepSites = said(options, 'sites') === 'keep';
  const kind = query * 2 + (keepSites ? 1 : 0);
  const known = answers[kind] || (answers[kind] = new Map());
  const before = known.get(address);
  if (before !== undefined) return before;
  const template = ask('normalizeUrl', OTHER, address, query, keepSites);
  // Without an engine there is nothing to remember: one may come.
  if (template !== OTHER && address.length <= LONGEST_KEPT) {
    if (known.size >= ANSWERS_KEPT) known.delete(known.keys().next().value);
    known.set(address, template);
  }
  return template;
}

/** A wish, if it can be read. */
function said(options, name) {
  // An exception costs a hundred times what the answer does.
  if (options === undefined || options === null) return undefined;
  try {
    return isStray(options, name) ? undefined : options[name];
  } catch (_) {
    return undefined;
  }
}
