// What all copies of this library on a page share, whatever their versions: plain numbers in plain objects in Maps.
// The symbol's number changes with what these mean, not with the package's version. Nothing that is found here is
// trusted: another copy may be newer, and the page may put anything in its place. So it is looked up at each use,
// fields that are not known are kept, and a bad entry is dropped alone.

import { member } from './answer.js';
import { warn } from './warn.js';

const PAGE = Symbol.for('steadfetch.page/1');
const SHELVES = ['gates', 'budgets', 'circuits', 'windows'];
/** By which key of a call each shelf is kept. */
const KEYS = ['gateKey', 'origin', 'circuitKey', 'circuitKey'];
/** The names of an entry's numbers, in the order in which policy/*.rs shows them. */
const FIELDS = [
  ['closedMono', 'closedWall', 'scouts', 'stale', 'scoutUntil', 'rampFrom', 'step', 'used', 'stepMs'],
  ['bucket', 'reserve', 'countedMono', 'countedWall', 'spent'],
  ['state', 'generation', 'openMono', 'openWall', 'openMs', 'intervals', 'probes', 'probeUntil'],
  ['lengthMs', 'slot'].concat(numbered('calls'), numbered('failures')),
];
/** A number that came later than the others: 0 where an older version has written the entry. */
const LATER = 'stepMs';
/** The page's own methods of a Map: one on the page may bring others. */
const map = Map.prototype;
const LIMIT = 200;

/** Puts something into a Map of at most so many entries: the one that was put there longest ago leaves. */
export function putLast(entries, key, value) {
  map.delete.call(entries, key);
  map.set.call(entries, key, value);
  if (entries.size > LIMIT) map.delete.call(entries, map.keys.call(entries).next().value);
}

function numbered(name) {
  return Array.from({ length: 10 }, (_, at) => name + at);
}

/** For a page that lets nothing be put on it. */
let own;

function page() {
  const found = placed();
  if (isPage(found)) return found;
  if (own) return own;
  const made = { gates: new Map(), budgets: new Map(), circuits: new Map(), windows: new Map() };
  try {
    globalThis[PAGE] = made;
  } catch (_) {
    // Frozen, or there already and not to be replaced.
  }
  if (placed() !== made) {
    own = made;
    warn('what the copies of this library on this page share cannot be kept on it; this copy keeps its own');
  }
  return made;
}

function placed() {
  try {
    return globalThis[PAGE];
  } catch (_) {
    return undefined; // a getter of somebody's own
  }
}

function isPage(page) {
  try {
    return typeof page === 'object' && page !== null && SHELVES.every((name) => isShelf(page, name));
  } catch (_) {
    return false;
  }
}

/** A Map that another version does not know is added. */
function isShelf(page, name) {
  if (page[name] === undefined) page[name] = new Map();
  map.has.call(page[name], ''); // throws where it is none, whatever it looks like
  return true;
}

/** The entry of a call. Where the page is as it should be, which is nearly always, one look is enough. */
function find(call, shelf) {
  const there = placed();
  try {
    // Not to be found out by an exception: the first one that a large script throws takes milliseconds.
    if (there) return entryIn(there, call, shelf);
  } catch (_) {
    // Something of somebody's own.
  }
  try {
    return entryIn(page(), call, shelf);
  } catch (_) {
    return undefined; // as good as empty
  }
}

/** Throws where the shelf is no Map. */
function entryIn(page, call, shelf) {
  const found = map.get.call(page[SHELVES[shelf]], call[KEYS[shelf]]);
  return typeof found === 'object' && found !== null ? found : undefined;
}

/** Writes the numbers of a call's entry into `out`; false where there is none. What is no number is NaN. */
export function loadEntry(call, shelf, out) {
  const entry = find(call, shelf);
  if (entry === undefined) return false;
  let at = 0;
  for (const name of FIELDS[shelf]) {
    const value = member(entry, name);
    out[at++] = typeof value === 'number' ? value : value === undefined && name === LATER ? 0 : NaN;
  }
  return true;
}

/** Keeps them; what else stands in the entry stays. */
export function saveEntry(call, shelf, numbers) {
  let entry = find(call, shelf);
  try {
    if (!entry || Object.isFrozen(entry)) entry = Object.assign({}, entry);
    write(entry, shelf, numbers);
  } catch (_) {
    // One that cannot be read or written.
    write((entry = {}), shelf, numbers);
  }
  try {
    putLast(page()[SHELVES[shelf]], call[KEYS[shelf]], entry);
  } catch (_) {
    // A Map of somebody's own.
  }
}

function write(entry, shelf, numbers) {
  FIELDS[shelf].forEach((name, at) => (entry[name] = numbers[at]));
}

export function dropEntry(call, shelf) {
  try {
    map.delete.call(page()[SHELVES[shelf]], call[KEYS[shelf]]);
  } catch (_) {
    // As above.
  }
}

/** Forgets everything, for all copies on the page. */
export function forgetPage() {
  for (const name of SHELVES) {
    try {
      map.clear.call(page()[name]);
    } catch (_) {
      // As above.
    }
  }
}

/** The keys of a shelf, each as something that can stand for a call. */
export function keysOf(shelf) {
  try {
    return [...map.keys.call(page()[SHELVES[shelf]])].filter((key) => typeof key === 'string').map((key) => ({ gateKey: key, origin: key, circuitKey: key }));
  } catch (_) {
    return [];
  }
}
