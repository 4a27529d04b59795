// The modules beside that of the two fetches, each for what it exports: they start on their own first use, and everything
// in them is synchronous. One that stops unexpectedly takes down what it was at work on; the next use gets a fresh instance.

import { answers as answersSource, answersLater, writes as writesSource, writesLater } from 'engine-source';
import { engineLoaded } from './patience.js';
import { SteadError } from './snippets/stead_error.js';

/**
 * A function that gives the exports; a promise of them while the js engine is on its way. It throws, or the promise
 * rejects with, `EENGINE` where there are none to be had.
 */
function synchronous(source, later) {
  /** The exports of the running instance. */
  let running;
  /** What begins one; undefined where WebAssembly is refused, until the js engine is there. */
  let begins = source;

  const start = () => {
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
    return (running = begins(guarded));
  };
  const none = (cause) => new SteadError('EENGINE', 'No engine could be started on this page, and this function needs one.', { cause });
  const load = async () => {
    let loaded, failure;
    await engineLoaded(later().then((module) => (loaded = module), (error) => (failure = error)));
    begins = begins || loaded;
    try {
      return running || start();
    } catch (cause) {
      throw none(failure || cause);
    }
  };

  return () => {
    if (running) return running;
    let refused;
    if (begins) {
      try {
        return start();
      } catch (cause) {
        begins = undefined;
        refused = cause;
      }
    }
    if (!later) throw none(refused);
    return load();
  };
}

/** What reads answers of AI back ends. */
export const answers = /* @__PURE__ */ synchronous(answersSource, answersLater);
/** What decides for `writeOnce`. */
export const writes = /* @__PURE__ */ synchronous(writesSource, writesLater);
