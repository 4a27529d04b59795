// Both modules compiled to JavaScript, for pages that refuse WebAssembly. What they take from the package is handed in:
// a second copy of it would know nothing of the calls of the first.

import { instantiate as extrasCode } from './extras_asm.js';
import { glue as extrasGlue } from './extras_asm_glue.js';
import { instantiate as fetchesCode } from './fetches_asm.js';
import { glue as fetchesGlue } from './fetches_asm_glue.js';
import { instantiate } from './instance.js';

export const fetches = (inward, outward, taken) => instantiate(fetchesGlue, fetchesCode, inward, outward, taken);
export const extras = (inward, outward, taken) => instantiate(extrasGlue, extrasCode, inward, outward, taken);
