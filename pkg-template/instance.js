// One running instance of one of the package's two wasm modules.

import { decode } from './decode.js';
import { Utf8Decoder, Utf8Encoder } from './utf8.js';

/**
 * Compiles and starts, at once; throws where the page refuses WebAssembly: CompileError or EvalError by policy, RangeError
 * where the main thread may not compile this much at once, a missing WebAssembly. `inward` goes around every export,
 * `outward` around every import.
 */
export function instantiate(glue, wasmText, inward, outward) {
  const bindings = glue(
    typeof TextDecoder === 'function' ? TextDecoder : Utf8Decoder,
    typeof TextEncoder === 'function' ? TextEncoder : Utf8Encoder,
  );
  const module = new WebAssembly.Module(decode(wasmText));
  const { exports } = new WebAssembly.Instance(module, { a: mapFunctions(bindings.imports, outward) });
  bindings.start(mapFunctions(exports, inward));
  return bindings.exports;
}

function mapFunctions(source, wrap) {
  const result = {};
  for (const name of Object.keys(source)) {
    const member = source[name];
    result[name] = typeof member === 'function' ? wrap(member) : member;
  }
  return result;
}
