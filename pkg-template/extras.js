// The second module: it starts on its own first use, and everything in it is synchronous. One that stops unexpectedly
// takes down what it was reading at the time; the next use gets a fresh instance.

import { extras as source, extrasLater } from 'engine-source';
import { SteadError } from './snippets/stead_error.js';

/** The exports of the running instance. */
let running;
/** What begins one; undefined where WebAssembly is refused, until the js engine is there. */
let begins = source;

/** The exports; a promise of them while the js engine is on its way. `EENGINE` where there are none to be had. */
export function extras() {
  if (running) return running;
  if (begins) {
    try {
      return (running = start());
    } catch (refused) {
      begins = undefined;
    }
  }
  return later();
}

async function later() {
  try {
    const loaded = await extrasLater();
    begins = begins || loaded;
    return running || (running = start());
  } catch (cause) {
    throw new SteadError('EENGINE', 'No engine could be started on this page, and this function needs one.', { cause });
  }
}

function start() {
  let failure;
  // No Rust code was unwound by an exception that leaves the module, so nothing in that instance can be trusted any more.
  const guarded = (inner) => (...args) => {
    if (failure) throw failure;
    try {
      return inner(...args);
    } catch (cause) {
      running = undefined;
      throw (failure = new SteadError('EENGINE', 'steadfetch stopped unexpectedly.', { cause }));
    }
  };
  return begins(guarded, (outer) => outer);
}
