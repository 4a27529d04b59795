// The lab server for one test: a scope of its own with its own script, lists and log. What may stand in a script, and
// what the log says, is written in www/server/README.md. Node's tests and those in a page use it alike.

// Tests put stubs in the place of these.
const send = globalThis.fetch.bind(globalThis);
const now = performance.now.bind(performance);

/** How long the log may take to show something. */
const PATIENCE_MS = 20_000;

const run = crypto.randomUUID().slice(0, 8);
let count = 0;

/**
 * The function that makes scopes on the lab server at this origin. `inPath` and `inQuery` stand in every address, for
 * those who look where it turns up again.
 */
export function scopesAt(origin, { inPath = '', inQuery = '' } = {}) {
  /** A new scope; an array is short for a script that has only steps. */
  return async function lab(script = {}) {
    const name = `${run}-${inPath}${++count}`;
    const made = await control(origin, 'PUT', name, Array.isArray(script) ? { steps: script } : script);
    return new Scope(origin, name, made, inQuery);
  };
}

async function control(origin, method, path, body) {
  const response = await send(`${origin}/control/${path}`, { method, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} /control/${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

class Scope {
  #origin;
  #name;
  #prefix;
  #elsewhere;
  #inQuery;

  constructor(origin, name, { prefix, origins }, inQuery) {
    this.#origin = origin;
    this.#name = name;
    this.#prefix = prefix;
    this.#inQuery = inQuery;
    this.#elsewhere = origins.find((other) => other !== origin);
  }

  /** An address on that origin; to a page it is its own. */
  here(path) {
    return this.#origin + this.#address(path);
  }

  /** The same on another origin. */
  elsewhere(path) {
    return this.#elsewhere + this.#address(path);
  }

  #address(path) {
    const and = this.#inQuery && (path.includes('?') ? '&' : '?');
    return this.#prefix + path + and + this.#inQuery;
  }

  /** Everything the server has to tell about this scope. */
  account() {
    return control(this.#origin, 'GET', this.#name);
  }

  /** What arrived so far, preflights left out. */
  async requests() {
    const { requests } = await this.account();
    return requests.filter((request) => !request.preflight);
  }

  /** Lets go of the answers that wait with `hold`. */
  release() {
    return control(this.#origin, 'POST', `${this.#name}/release`);
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
