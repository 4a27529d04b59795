// The wasm as shipped, with a look at the clock between the steps.

import { decode } from '../../../target/package/stage/decode.js';
import { wasmText } from '../../../target/package/stage/fetches_wasm.js';
import { glue } from '../../../target/package/stage/fetches_wasm_glue.js';
import { instantiate } from '../../../target/package/stage/instance.js';

export * from '../../../target/package/stage/wasm_engine.js';

export const fetches = (inward) => instantiate(glue, begin, inward);

function begin(imports) {
  const began = performance.now();
  const bytes = decode(wasmText);
  const decoded = performance.now();
  const module = new WebAssembly.Module(bytes);
  const compiled = performance.now();
  const { exports } = new WebAssembly.Instance(module, imports);
  globalThis.steps = { decode: decoded - began, compile: compiled - decoded, instantiate: performance.now() - compiled };
  return exports;
}
