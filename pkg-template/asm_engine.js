// The modules compiled to JavaScript, for pages that refuse WebAssembly. What they take from the package is handed in: a
// second copy of it would know nothing of the calls of the first.

import { instantiate as answersCode } from './answers_asm.js';
import { glue as answersGlue } from './answers_asm_glue.js';
import { instantiate as fetchesCode } from './fetches_asm.js';
import { glue as fetchesGlue } from './fetches_asm_glue.js';
import { instantiate as writesCode } from './writes_asm.js';
import { glue as writesGlue } from './writes_asm_glue.js';
import { instantiate } from './instance.js';

export const fetches = (inward, taken) => instantiate(fetchesGlue, fetchesCode, inward, taken);
export const answers = (inward, taken) => instantiate(answersGlue, answersCode, inward, taken);
export const writes = (inward, taken) => instantiate(writesGlue, writesCode, inward, taken);
