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

function hidden(target, name, value) {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}
