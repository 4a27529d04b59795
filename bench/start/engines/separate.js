// The wasm as a file of its own. It takes the way on which calls wait for the js engine, which is also a file of its own.

import { glue } from '../../../target/package/stage/fetches_wasm_glue.js';
import { instantiate } from '../../../target/package/stage/instance.js';

export * from '../../../target/package/stage/wasm_engine.js';

export const fetches = undefined;
export const fetchesLater = async () => {
  const module = await WebAssembly.compileStreaming(fetch(globalThis.wasmAddress));
  return (inward) => instantiate(glue, (imports) => new WebAssembly.Instance(module, imports).exports, inward);
};
