// The modules as wasm, which stands in the JavaScript as text, and where they come from on a page that refuses WebAssembly.

import { taken as answersTaken } from './answers_asm_taken.js';
import { wasmText as answersText } from './answers_wasm.js';
import { glue as answersGlue } from './answers_wasm_glue.js';
import { decode } from './decode.js';
import { taken as fetchesTaken } from './fetches_asm_taken.js';
import { wasmText as fetchesText } from './fetches_wasm.js';
import { glue as fetchesGlue } from './fetches_wasm_glue.js';
import { instantiate } from './instance.js';
import { taken as writesTaken } from './writes_asm_taken.js';
import { wasmText as writesText } from './writes_wasm.js';
import { glue as writesGlue } from './writes_wasm_glue.js';

/**
 * Throws where WebAssembly is refused: CompileError or EvalError by policy, RangeError where the main thread may not
 * compile this much at once, a missing WebAssembly.
 */
const wasm = (text) => (imports) => new WebAssembly.Instance(new WebAssembly.Module(decode(text)), imports).exports;

export const kind = 'wasm';
export const fetches = (inward) => instantiate(fetchesGlue, wasm(fetchesText), inward);
export const answers = (inward) => instantiate(answersGlue, wasm(answersText), inward);
export const writes = (inward) => instantiate(writesGlue, wasm(writesText), inward);

/** A chunk that nobody else downloads. What its modules take from this package is handed to them. */
const load = async (name, taken) => {
  const module = (await import('./asm_engine.js'))[name];
  return (inward) => module(inward, taken());
};

export const fetchesLater = () => load('fetches', fetchesTaken);
export const answersLater = () => load('answers', answersTaken);
export const writesLater = () => load('writes', writesTaken);
