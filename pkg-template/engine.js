// Starts the module of the two fetches on the first use, never on import, and stands between it and the page: whatever
// goes wrong inside, every promise that was handed out settles.
//
// A call through the engine: `call` makes the promise and keeps its settle function in `open`; the wasm calls that
// function exactly once. An exception that leaves the wasm (a trap, an import that threw) has unwound no Rust code, so
// nothing in that instance can be trusted any more: it is dead, its open calls are rejected, and later calls take the
// plain path.

import { glue } from './fetches_glue.js';
import { wasmText } from './fetches_wasm.js';
import { instantiate } from './instance.js';
import { plainFetch } from './plain.js';
import { errorName } from './snippets/answer.js';
import { whenBodyFails } from './snippets/bodies.js';
import { SteadError } from './snippets/stead_error.js';
import { warn } from './snippets/warn.js';

/** The running instance; undefined before the first use, null once there is none to be had. */
let running;

function start() {
  if (running === undefined) {
    try {
      running = begin();
    } catch (refused) {
      // The 'js' engine, the same module as JavaScript, will be tried here.
      if (running !== null) stop('WebAssembly could not be started', refused);
    }
  }
  return running;
}

function begin() {
  const open = new Set();
  let failure; // set once the instance is dead

  const die = (cause) => {
    if (failure) return;
    const message = 'steadfetch stopped unexpectedly; whether this request was carried out is not known';
    failure = new SteadError('EENGINE', message, { cause });
    for (const settle of open) settle(false, failure);
    stop('the engine stopped unexpectedly', cause);
  };
  // Around every export: closures that the wasm handed to timers and promises arrive here, too, and do nothing once it
  // is dead. An empty array is what the glue can handle wherever it expects a number, a pair or nothing.
  const guarded = (inner) => (...args) => {
    try {
      if (!failure) return inner(...args);
    } catch (cause) {
      die(cause);
    }
    return [];
  };
  // Around every import: wasm code that is still on the stack of a dead instance is stopped before it sends anything.
  const reachable = (outer) => (...args) => {
    if (failure) throw failure;
    return outer(...args);
  };

  const exports = instantiate(glue, wasmText, guarded, reachable);
  if (failure) throw failure;
  whenBodyFails((circuit) => ask('bodyFailed', undefined, circuit));
  return { exports, open };
}

function stop(what, cause) {
  running = null;
  // The name of the cause only: its message may hold what a page must not show.
  warn(`${what} (${errorName(cause)}); requests are now sent once, by plain fetch, without repeats.`);
}

/** One call of spFetch or aiFetch. */
export function call(name, input, init, defaults) {
  const instance = start();
  if (!instance) return plainFetch(name, input, init, defaults);
  return new Promise((resolve, reject) => {
    const settle = (ok, value) => {
      instance.open.delete(settle);
      (ok ? resolve : reject)(value);
    };
    instance.open.add(settle);
    instance.exports[name](input, init, defaults, settle);
  });
}

/** One of the synchronous exports, or `otherwise` where no engine runs or this very question ended it. */
export function ask(name, otherwise, ...args) {
  const instance = start();
  if (instance) {
    try {
      const answer = instance.exports[name](...args);
      if (running) return answer;
    } catch (dead) {
      // The glue stumbled over what a dead instance returned; `die` has said so already.
    }
  }
  return otherwise;
}

export function engine() {
  return running ? 'wasm' : running === null ? 'none' : 'not-loaded';
}

export async function ready() {
  start();
  return engine();
}
