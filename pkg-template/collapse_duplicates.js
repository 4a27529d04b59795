// `collapseDuplicates`: what a doubled write left behind, put aside by whoever reads it. Nothing is deleted.

import { wrongOption } from './snippets/stead_error.js';

export function collapseDuplicates(items, key, keep = 'first') {
  if (!Array.isArray(items)) throw wrongOption('items', 'an array', items);
  if (typeof key !== 'function') throw wrongOption('key', 'a function', key);
  if (keep !== 'first' && keep !== 'last') throw wrongOption('keep', "'first' or 'last'", keep);
  // As they are now: `key` is the caller's, and may do anything.
  const all = Array.from(items);
  const kept = new Map(); // which place is kept for each key
  all.forEach((item, place) => {
    const found = key(item);
    // One item without a key, and all of them would be taken for the same.
    if (typeof found !== 'string' && (typeof found !== 'number' || found !== found)) {
      throw wrongOption('key', 'a function that gives a string or a number', found);
    }
    if (keep === 'last' || !kept.has(found)) kept.set(found, place);
  });
  const places = new Set(kept.values());
  return { items: all.filter((_, place) => places.has(place)), duplicates: all.filter((_, place) => !places.has(place)) };
}
