// A mock of version 1.1, which shares more with the page than this version knows of.

import { copy } from './copies.mjs';
import { KEY, SHELVES } from './page_state.mjs';

const TO_CONTAINER = { version: '1.1', hedges: new Map([['a', { from: 1 }]]) };
const TO_ENTRY = { hedged: 7, notes: { by: '1.1' } };

/** This version, and around its requests somebody who adds to the page state. */
export async function laterCopy(where = globalThis) {
  const inner = await copy(where);
  Object.assign((where[KEY] ??= emptyState()), TO_CONTAINER);
  const added = new Set();
  const entries = () => SHELVES.flatMap((shelf) => [...where[KEY][shelf]].map(([key, entry]) => [`${shelf} ${key}`, entry]));

  /** Each entry once: to keep what was added is the others' part. */
  const add = () => {
    const present = entries();
    for (const name of added) if (!present.some(([other]) => other === name)) added.delete(name);
    for (const [name, entry] of present) if (!added.has(name)) Object.assign(entry, TO_ENTRY);
    for (const [name] of present) added.add(name);
  };
  const adding = (send) => async (input, init = {}) => {
    const transport = init.fetch || where.fetch.bind(where);
    const fetch = (...request) => {
      add();
      return transport(...request);
    };
    try {
      return await send(input, { ...init, fetch });
    } finally {
      add();
    }
  };
  return {
    ...inner,
    spFetch: adding(inner.spFetch),
    aiFetch: adding(inner.aiFetch),
    /** How many entries carry its additions, and the names of those that have lost them. */
    additions() {
      const mine = entries().filter(([name]) => added.has(name));
      const lost = mine.filter(([, entry]) => !includes(entry, TO_ENTRY)).map(([name]) => name);
      if (!includes(where[KEY], TO_CONTAINER)) lost.push('the container');
      return { entries: mine.length, lost };
    },
  };
}

const emptyState = () => Object.fromEntries(SHELVES.map((shelf) => [shelf, new Map()]));
const includes = (whole, part) => Object.keys(part).every((name) => whole[name] === part[name]);
