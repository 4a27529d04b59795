// The transport that every peer is given: it answers at once, with Responses that were made before the time is taken.

const BODY = JSON.stringify({ value: [{ Id: 1, Title: 'A' }], choices: [] });
const HEADERS = { 'Content-Type': 'application/json' };

let answers = [];
let sent = 0;

/** From here on it gives these, one by one. */
export function refill(statuses) {
  answers = statuses.map((status) => new Response(status === 200 ? BODY : '{}', { status, headers: HEADERS }));
  sent = 0;
}

export const stub = () => Promise.resolve(answers[sent++]);

export const sends = () => sent;

/** Puts it in the place of the page's own, for those that take that one. */
export function instead() {
  const { fetch } = globalThis;
  globalThis.fetch = stub;
  return () => (globalThis.fetch = fetch);
}
