// The lab server for one test: a scope of its own with its own script, lists and log. What may stand in a script, and
// what the log says, is written in www/server/README.md.

import { IN_PATH, IN_QUERY } from './emitted.mjs';

// Tests put stubs in the place of these.
const send = globalThis.fetch.bind(globalThis);
const now = performance.now.bind(performance);

/** How long the log may take to show something. */
const PATIENCE_MS = 20_000;

/** The items of a list, and the address of a model. */
export const ITEMS = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
export const MODEL = '/api/ask';

const run = crypto.randomUUID().slice(0, 8);
let count = 0;

/** A new scope; an array is short for a script that has only steps. */
export async function lab(script = {}) {
  const name = `${run}-${IN_PATH}-${++count}`;
  return new Scope(name, await control('PUT', name, Array.isArray(script) ? { steps: script } : script));
}

async function control(method, path, body) {
  const response = await send(`/control/${path}`, { method, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} /control/${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const planted = (path) => `${path}${path.includes('?') ? '&' : '?'}${IN_QUERY}`;

class Scope {
  #name;
  #prefix;
  #elsewhere;

  constructor(name, { prefix, origins }) {
    this.#name = name;
    this.#prefix = prefix;
    this.#elsewhere = origins.find((origin) => origin !== location.origin);
  }

  /** An address on the page's own origin. */
  here(path) {
    return location.origin + this.#prefix + planted(path);
  }

  /** The same on another origin. */
  elsewhere(path) {
    return this.#elsewhere + this.#prefix + planted(path);
  }

  /** Everything the server has to tell about this scope. */
  account() {
    return control('GET', this.#name);
  }

  /** What arrived so far, preflights left out. */
  async requests() {
    const { requests } = await this.account();
    return requests.filter((request) => !request.preflight);
  }

  /** Lets go of the answers that wait with `hold`. */
  release() {
    return control('POST', `${this.#name}/release`);
  }

  /** Asks until the condition holds for the account, and gives that account. */
  async until(condition) {
    const began = now();
    for (;;) {
      const account = await this.account();
      if (condition(account)) return account;
      if (now() - began > PATIENCE_MS) throw new Error(`not so: ${condition}\n${JSON.stringify(account, null, 1)}`);
    }
  }

  /** Waits until the server holds back the answer to the n-th request. */
  held(n = 1) {
    return this.until(({ requests }) => requests.length >= n && requests[n - 1].outcome === 'held');
  }
}
