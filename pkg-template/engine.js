// Starts the module of the two fetches on the first use, never on import, and stands between it and the page: whatever
// goes wrong inside, every promise that was handed out settles.
//
// A call through the engine: `call` makes the promise and keeps the call in `open` until it is settled, exactly once. An
// exception that leaves the module (a trap, an import that threw) has unwound no Rust code, so nothing in that instance
// can be trusted any more: it is dead, its open calls are rejected, and later calls take the plain path.
//
// Where WebAssembly is refused, the first use loads the same module compiled to JavaScript, and calls wait for it.

import { fetches, fetchesLater, kind } from 'engine-source';
import { engineLoaded } from './patience.js';
import { plainFetch } from './plain.js';
import { errorName } from './snippets/answer.js';
import { useEngine } from './snippets/ask.js';
import { begin as beginCall } from './snippets/calls.js';
import { TAKEN, takeCall } from './snippets/request.js';
import { SteadError } from './snippets/stead_error.js';
import { warn } from './snippets/warn.js';

const PLAINLY = 'requests are now sent once, by plain fetch, without repeats.';

/** The running instance. */
let running;
/** What is begun at the next use; undefined once that was tried. */
let source = fetches;
/** An instance has stopped: nothing is tried any more. */
let dead = false;
/** The js engine on its way. */
let loading;
/** Something was asked that had to be answered at once, and could not wait for it. */
let askedEarly = false;
let runs = 'not-loaded';

function start() {
  const begins = source;
  source = undefined;
  if (begins) {
    try {
      running = begin(begins);
      runs = kind;
    } catch (refused) {
      if (!fetchesLater) stop('The js engine could not be started', refused);
    }
  }
  return running;
}

const mayLoad = () => !running && !dead && fetchesLater !== undefined;

/** A promise that never rejects. A load that failed is tried again by a later call. */
function load() {
  if (loading === undefined) {
    loading = fetchesLater().then((begins) => {
      running = begin(begins);
      runs = 'js';
      if (askedEarly) warn('WebAssembly is refused here, and something was asked before the js engine was there: wait for ready() first.');
    }).catch((cause) => {
      loading = undefined;
      if (!dead) {
        runs = 'none';
        warn(`WebAssembly is refused here, and the js engine could not be loaded (${errorName(cause)}); ${PLAINLY}`);
      }
    });
  }
  return loading;
}

function begin(begins) {
  const open = new Set();
  let failure; // set once the instance is dead

  const die = (cause) => {
    if (failure) return;
    const message = 'steadfetch stopped unexpectedly; whether this request was carried out is not known';
    failure = new SteadError('EENGINE', message, { cause });
    for (const call of open) {
      call.error = failure;
      call.settle(false, failure);
    }
    stop('The engine stopped unexpectedly', cause);
  };
  // Around every export. Once it is dead they do nothing: an empty array is what the glue can handle wherever it expects a
  // number, a pair or nothing. Code that is still on the stack of a dead instance sends nothing: its calls are over.
  const guarded = (inner) => (...args) => {
    try {
      if (!failure) return inner(...args);
    } catch (cause) {
      die(cause);
    }
    return [];
  };

  const exports = begins(guarded);
  if (failure) throw failure;
  useEngine(ask);
  return { exports, open };
}

function stop(what, cause) {
  running = undefined;
  dead = true;
  runs = 'none';
  // The name of the cause only: its message may hold what a page must not show.
  warn(`${what} (${errorName(cause)}); ${PLAINLY}`);
}

/** One call of spFetch or aiFetch. */
export function call(name, input, init, defaults) {
  if (start()) return callInside(name, input, init, defaults);
  return mayLoad() ? callLater(name, input, init, defaults) : plainFetch(name, input, init, defaults);
}

function callInside(name, input, init, defaults) {
  return new Promise((resolve, reject) => {
    const call = takeCall(kindOf(name), input, init, defaults);
    // A getter of the caller's may have ended the engine.
    if (!running) return resolve(plainFetch(name, call, TAKEN));
    const { exports, open } = running;
    open.add(call);
    beginCall(exports, call, (ok, value) => {
      open.delete(call);
      (ok ? resolve : reject)(value);
    });
  });
}

const kindOf = (name) => (name === 'spFetch' ? 'sp' : 'ai');

async function callLater(name, input, init, defaults) {
  // Taken apart now: what the caller does to it meanwhile is not for this call.
  const taken = takeCall(kindOf(name), input, init, defaults);
  if (!taken.isRequest) taken.input = taken.url;
  await engineLoaded(load(), taken);
  return (running ? callInside : plainFetch)(name, taken, TAKEN);
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
  } else if (mayLoad()) {
    askedEarly = true;
    load();
  }
  return otherwise;
}

export function engine() {
  return runs;
}

export async function ready() {
  start();
  if (mayLoad()) await load();
  return runs;
}
