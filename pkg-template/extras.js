// The second module: it starts on its own first use, and everything in it is synchronous. One that stops unexpectedly
// takes down what it was reading at the time; the next use gets a fresh instance.

import { extras as source, extrasLater } from 'engine-source';
import { settledOrLate } from './patience.js';
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
  if (!extrasLater) throw none();
  return load();
}

const none = (cause) => new SteadError('EENGINE', 'No engine could be started on this page, and this function needs one.', { cause });

async function load() {
  let loaded, failure;
  await settledOrLate(extrasLater().then((module) => (loaded = module), (error) => (failure = error)));
  if (!loaded) throw none(failure);
  begins = begins || loaded;
  try {
    return running || (running = start());
  } catch (cause) {
    throw none(cause);
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
      // An export may be called while another one runs: the first cause counts.
      failure = failure || new SteadError('EENGINE', 'steadfetch stopped unexpectedly.', { cause });
      throw failure;
    }
  };
  return begins(guarded, (outer) => outer);
}
