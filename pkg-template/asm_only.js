// What `steadfetch/asm` has in place of `wasm_engine.js`: the modules as JavaScript, at once.

import { extras as asmExtras, fetches as asmFetches } from './asm_engine.js';
import { taken as extrasTaken } from './extras_asm_taken.js';
import { taken as fetchesTaken } from './fetches_asm_taken.js';

export const kind = 'js';
export const fetches = (inward, outward) => asmFetches(inward, outward, fetchesTaken());
export const extras = (inward, outward) => asmExtras(inward, outward, extrasTaken());
export const fetchesLater = undefined;
export const extrasLater = undefined;
