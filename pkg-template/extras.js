// The second module: it starts on its own first use, and everything in it is synchronous. One that stops unexpectedly
// takes down what it was reading at the time; the next use gets a fresh instance.

import { glue } from './extras_glue.js';
import { wasmText } from './extras_wasm.js';
import { instantiate } from './instance.js';
import { SteadError } from './snippets/stead_error.js';

/** The exports of the running instance; undefined before the first use, null where the page refuses WebAssembly. */
let running;

/** The exports. `EENGINE` where there are none to be had. */
export function extras() {
  if (running === undefined) {
    try {
      running = start();
    } catch (refused) {
      running = null;
    }
  }
  if (running === null) throw new SteadError('EENGINE', 'WebAssembly could not be started on this page, and this function needs it.');
  return running;
}

function start() {
  let failure;
  // No Rust code was unwound by an exception that leaves the wasm, so nothing in that instance can be trusted any more.
  const guarded = (inner) => (...args) => {
    if (failure) throw failure;
    try {
      return inner(...args);
    } catch (cause) {
      running = undefined;
      // An export may be called while another one runs: the first cause counts.
      failure = failure || new SteadError('EENGINE', 'steadfetch stopped unexpectedly.', { cause });
      throw failure;
    }
  };
  return instantiate(glue, wasmText, guarded, (outer) => outer);
}
