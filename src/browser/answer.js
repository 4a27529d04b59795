// Reading answers without breaking on them: a Response-like object may be a polyfill, an adapter's own class or a
// mock. Each read is guarded; what cannot be read is undefined.

const BODY_LIMIT = 65536;

/** A member, if it can be read. */
export function member(of, name) {
  try {
    return of[name];
  } catch (_) {
    return undefined;
  }
}

export const NO_ANSWER = -2;

/** A member that is a string. */
export function text(of, name) {
  const value = member(of, name);
  return typeof value === 'string' ? value : undefined;
}

/** The status; -1 where it cannot be read, -2 where this is no answer at all. */
export function statusOf(answer) {
  if (typeof answer !== 'object' && typeof answer !== 'function' || answer === null) return NO_ANSWER;
  const status = member(answer, 'status');
  const number = typeof status === 'number' ? status : typeof status === 'string' && status.trim() !== '' ? Number(status) : -1;
  return Number.isInteger(number) && number >= 0 && number < 1000 ? number : -1;
}

/** A header's value of anything that may have headers: a Response, Headers, a Map, pairs or a plain record. */
export function field(from, name) {
  if (from === undefined || from === null) return undefined;
  try {
    const headers = from.headers || from;
    let value;
    if (typeof headers.get === 'function' && !(headers instanceof Map)) {
      value = headers.get(name);
    } else {
      const pairs = typeof headers[Symbol.iterator] === 'function' ? headers : Object.entries(headers);
      for (const [key, found] of pairs) {
        if (String(key).toLowerCase() === name) value = value === undefined ? found : `${value}, ${found}`;
      }
    }
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  } catch (_) {
    return undefined;
  }
}

/** What an error calls itself. Never its message: that may hold an address. */
export function errorName(error) {
  const name = typeof error === 'object' && error !== null ? member(error, 'name') : undefined;
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : typeof error;
}

/** Answers whose body was given up. A stub may give out the same one again, and nobody is to get that. */
export const discarded = new WeakSet();

/** Gives a body up. */
export function discard({ answer }) {
  discarded.add(answer);
  quietly(() => answer.body.cancel());
}

/** Nobody waits for it, and nobody hears if it fails: there may be no body, a locked one, or a mock's own. */
function quietly(cancel) {
  try {
    const done = cancel();
    if (done && typeof done.catch === 'function') done.catch(() => {});
  } catch (_) {
    // As said.
  }
}

/**
 * Reads a copy of an error's body, at most 64 KB of it. The answer itself stays unread. Gives a promise of the text, or of
 * undefined where there is nothing to be had, and a function that ends the reading.
 */
export function peek(answer) {
  let reader;
  const stop = () => {
    if (reader) quietly(() => reader.cancel());
    reader = undefined;
  };
  const readAll = async () => {
    try {
      const copy = answer.clone();
      if (!copy.body || typeof copy.body.getReader !== 'function') {
        const text = String(await copy.text());
        return text.length <= BODY_LIMIT ? text : undefined;
      }
      reader = copy.body.getReader();
      const decoder = new TextDecoder();
      let text = '';
      for (let size = 0; reader; ) {
        const { done, value } = await reader.read();
        if (done) return text + decoder.decode();
        // An empty chunk counts, too: an endless row of them would leave no turn for the timer that ends this.
        size += Math.max(value.byteLength, 64);
        if (size > BODY_LIMIT) stop();
        else text += decoder.decode(value, { stream: true });
      }
    } catch (_) {
      // No copy, or the body broke: nothing was said.
    }
    return undefined;
  };
  return { text: readAll(), stop };
}

/** A part of a JSON error, if it is there and a string: its machine `code`, its `type`, its `message`. */
export function errorPart(call, name) {
  if (call.text === undefined) return undefined;
  try {
    let body = JSON.parse(call.text);
    if (Array.isArray(body)) body = body[0];
    const error = typeof body.error === 'object' && body.error !== null ? body.error : body;
    const delay = Array.isArray(error.details) ? error.details.map((detail) => detail && detail.retryDelay).find(Boolean) : undefined;
    return name === 'message' && delay ? `retry in ${delay}` : text(error, name);
  } catch (_) {
    return undefined;
  }
}

/** SharePoint's two ways to say that a form digest was refused, hence nothing written: expired, and not its own. */
export const refusesDigest = (call) => /-213057525[12]\b/.test(call.text);
