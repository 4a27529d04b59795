// WebAssembly that counts what crosses into it and out of it.

import { readFileSync } from 'node:fs';
import { withGlobals } from './fresh_package.mjs';

/** What the build made of the module of the two fetches, where its functions still have long names. */
const GLUE = new URL('../../target/package/stage/fetches_wasm_glue.js', import.meta.url);

/**
 * Counts for the instances that start from here on: calls `into` the wasm, those of them that were `allocations` for a
 * text or a list, and calls `outOf` it; `memory()` gives its size in bytes.
 */
export function countedWebAssembly(t) {
  const counts = { into: 0, outOf: 0, allocations: 0 };
  const { WebAssembly } = globalThis;
  const allocators = namesOfAllocators();
  let memory;
  const counting = (members, counted) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, typeof member === 'function' ? counted(name, member) : member]));
  const out = (_, outer) => (...args) => {
    counts.outOf++;
    return outer(...args);
  };
  const into = (name, inner) => (...args) => {
    counts.into++;
    if (allocators.has(name)) counts.allocations++;
    return inner(...args);
  };
  class Instance {
    constructor(module, imports) {
      const outside = Object.fromEntries(Object.entries(imports).map(([name, members]) => [name, counting(members, out)]));
      const { exports } = new WebAssembly.Instance(module, outside);
      memory = Object.values(exports).find((member) => member instanceof WebAssembly.Memory);
      this.exports = counting(exports, into);
    }
  }
  withGlobals(t, { WebAssembly: { ...own(WebAssembly), Instance } });
  return { counts, memory: () => memory.buffer.byteLength };
}

/** Its members are not enumerable. */
const own = (object) => Object.fromEntries(Object.getOwnPropertyNames(object).map((name) => [name, object[name]]));

/** `passStringToWasm0(url, wasm.lb, wasm.mb)`: the short names of what makes and what lengthens a place for a text. */
function namesOfAllocators() {
  const glue = readFileSync(GLUE, 'utf8');
  const found = [...glue.matchAll(/pass\w+ToWasm0\([^()]*?, \w+\.(\w+)(?:, \w+\.(\w+))?\)/g)];
  if (found.length === 0) throw new Error('the glue gives texts to the wasm in another way');
  return new Set(found.flatMap(([, malloc, realloc]) => [malloc, realloc]).filter(Boolean));
}
