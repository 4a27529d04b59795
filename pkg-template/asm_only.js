// What `steadfetch/asm` has in place of `wasm_engine.js`: the modules as JavaScript, at once.

import * as asm from './asm_engine.js';
import { taken as answersTaken } from './answers_asm_taken.js';
import { taken as fetchesTaken } from './fetches_asm_taken.js';
import { taken as writesTaken } from './writes_asm_taken.js';

export const kind = 'js';
export const fetches = (inward) => asm.fetches(inward, fetchesTaken());
export const answers = (inward) => asm.answers(inward, answersTaken());
export const writes = (inward) => asm.writes(inward, writesTaken());

// There is nothing else to come.
export const fetchesLater = undefined;
export const answersLater = undefined;
export const writesLater = undefined;
