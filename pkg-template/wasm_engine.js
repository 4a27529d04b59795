// Both modules as wasm, which stands in the JavaScript as text, and where they come from on a page that refuses WebAssembly.

import { decode } from './decode.js';
import { taken as extrasTaken } from './extras_asm_taken.js';
import { wasmText as extrasText } from './extras_wasm.js';
import { glue as extrasGlue } from './extras_wasm_glue.js';
import { taken as fetchesTaken } from './fetches_asm_taken.js';
import { wasmText as fetchesText } from './fetches_wasm.js';
import { glue as fetchesGlue } from './fetches_wasm_glue.js';
import { instantiate } from './instance.js';

/**
 * Throws where WebAssembly is refused: CompileError or EvalError by policy, RangeError where the main thread may not
 * compile this much at once, a missing WebAssembly.
 */
const wasm = (text) => (imports) => new WebAssembly.Instance(new WebAssembly.Module(decode(text)), imports).exports;

export const kind = 'wasm';
export const fetches = (inward, outward) => instantiate(fetchesGlue, wasm(fetchesText), inward, outward);
export const extras = (inward, outward) => instantiate(extrasGlue, wasm(extrasText), inward, outward);

/** A chunk that nobody else downloads. */
const load = () => import('./asm_engine.js');

export const fetchesLater = () =>
  load().then(({ fetches }) => (inward, outward) => fetches(inward, outward, fetchesTaken()));
export const extrasLater = () => load().then(({ extras }) => (inward, outward) => extras(inward, outward, extrasTaken()));
