// The one error class of steadfetch, and the test for it. It is JavaScript, not Rust, so that the wasm, the
// entry files and a page where no engine could start all use the same class.

// Found through the global symbol registry: the same in every copy of this library and in every frame.
const BRAND = Symbol.for('steadfetch.error');

export class SteadError extends Error {
  constructor(code, message, details) {
    super(message);
    const { status = null, retryAfterMs = null, pages, items, cause } = details || {};
    hidden(this, 'name', code === 'ETIMEOUT' ? 'TimeoutError' : 'SteadError');
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    if (pages !== undefined) this.pages = pages;
    if (items !== undefined) this.items = items;
    // Not enumerable, as in the platform's own errors: a cause may hold a Response, and loggers walk what they see.
    if (cause !== undefined) hidden(this, 'cause', cause);
  }

  get [BRAND]() {
    return true;
  }
}

// By the brand, never by `instanceof`: two bundles on one page each bring a class of their own.
export function isSteadError(e, code) {
  try {
    return typeof e === 'object' && e !== null && e[BRAND] === true && (code === undefined || e.code === code);
  } catch (unreadable) {
    return false; // a proxy, or an object of another origin
  }
}

/** Where a string in the wrong place may be a key, a token or somebody's data. */
const SECRETS = ['idempotencyKey', 'digest', 'headers', 'fetch'];

/** `EOPTION`. The value is shown where it is short and no secret; of everything else the type. */
export function wrongOption(name, allowed, value) {
  const type = typeof value;
  let shown = value === null || type === 'number' || type === 'boolean' || type === 'undefined' ? String(value) : `a value of type ${type}`;
  if (type === 'string') {
    shown = value.length > 40 || SECRETS.includes(name) ? `a string of ${value.length} characters` : JSON.stringify(value);
  }
  return new SteadError('EOPTION', `\`${name}\` must be ${allowed}, not ${shown}.`);
}

/** `ETIMEOUT`. `status` and `retryAfterMs` are those of the last answer seen. */
export function timeoutError(limitMs, status, retryAfterMs, cause) {
  return new SteadError('ETIMEOUT', `No answer within ${Math.round(limitMs)} ms.`, { status, retryAfterMs, cause });
}

function hidden(target, name, value) {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}
