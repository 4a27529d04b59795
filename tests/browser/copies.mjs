// Several copies of the package on one page, as web parts bring them along: the file holds everything, so another address
// gives another engine with another state.

import { watchForNow } from './emitted.mjs';
import { PACKAGE } from './engine_here.mjs';

let count = 0;

const here = (address) => import(address);

/** A copy with an engine of its own; in a window of realm.html, too. */
export async function copy({ load = here } = {}) {
  return watchForNow(await load(`${PACKAGE}?copy=${++count}`));
}
