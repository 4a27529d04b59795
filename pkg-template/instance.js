// One running instance of one of the package's modules, as wasm or compiled to JavaScript.

import { Utf8Decoder, Utf8Encoder } from './utf8.js';

/**
 * `begin` makes exports of imports, at once. `inward` goes around every export. What the glue of a module that was loaded
 * later takes from this package is `taken`.
 */
export function instantiate(glue, begin, inward, taken) {
  const bindings = glue(
    typeof TextDecoder === 'function' ? TextDecoder : Utf8Decoder,
    typeof TextEncoder === 'function' ? TextEncoder : Utf8Encoder,
    taken,
  );
  const exports = begin({ a: bindings.imports });
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
