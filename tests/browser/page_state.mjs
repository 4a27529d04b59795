// What all copies of the package on a page share, seen from outside.

export const KEY = Symbol.for('steadfetch.page/1');
export const SHELVES = ['gates', 'budgets', 'circuits', 'windows'];

/** The container; undefined before the first use. */
export const pageState = (where = globalThis) => where[KEY];
