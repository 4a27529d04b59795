// Several copies of the package on one page, as web parts bring them along: the file holds everything, so another address
// gives another engine with another state.

let count = 0;

const here = (address) => import(address);

/** A copy with an engine of its own; in a window of realm.html, too. */
export function copy({ load = here } = {}) {
  return load(`/pkg/index.mjs?copy=${++count}`);
}
