// One question is asked once. A client whose connection broke sends its question again under the same key, and gets the
// answer that was made meanwhile.
//
// A store of keys has three functions, each of which gives a promise:
//
// - `begin(key, body)` notes that work on the key begins and gives `{ state: 'new' }`, or says what is known of it:
//   'running', 'answered' with the `answer`, or 'other-body' for a key that came with another body. It must be atomic,
//   since two requests may come at once.
// - `finish(key, answer, ms)` keeps the answer, plain JSON, for whoever asks again within so many milliseconds.
// - `forget(key)` lets the next request begin anew.

import { createHash } from 'node:crypto';

export const fingerprint = (text) => createHash('sha256').update(text).digest('hex');

/** The person whom App Service signed in, or null. Where its authentication is on, nobody else can send this header. */
export const callerOf = (headers) => headers.get('x-ms-client-principal-id');

/**
 * What the store knows the request's key by; null without one. A key belongs to its caller, so that nobody gets another's
 * answer by its key.
 */
export function keyOf(headers) {
  const key = headers.get('idempotency-key');
  return key && fingerprint(JSON.stringify([callerOf(headers), key]));
}

/**
 * Keys in the memory of this instance. With more instances, or after a restart, a repeat may reach one that knows nothing:
 * README.md names what to use then.
 */
export function memoryKeys({ maxAnswers = 1_000 } = {}) {
  const running = new Map(); // key → body; as many as there are requests at work
  const answered = new Map(); // key → { body, answer, until }; the oldest first

  const dropOld = () => {
    for (const [key, { until }] of answered) {
      if (until <= performance.now() || answered.size > maxAnswers) answered.delete(key);
    }
  };

  return {
    async begin(key, body) {
      dropOld();
      const kept = answered.get(key);
      const known = running.get(key) ?? kept?.body;
      if (known === undefined) {
        running.set(key, body);
        return { state: 'new' };
      }
      if (known !== body) return { state: 'other-body' };
      return kept ? { state: 'answered', answer: kept.answer } : { state: 'running' };
    },

    async finish(key, answer, ms) {
      answered.set(key, { body: running.get(key), answer, until: performance.now() + ms });
      running.delete(key);
      dropOld();
    },

    async forget(key) {
      running.delete(key);
    },
  };
}
