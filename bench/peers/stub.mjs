// The transport that every peer is given: it answers at once, with Responses that were made before the time is taken.

const BODY = JSON.stringify({ value: [{ Id: 1, Title: 'A' }], choices: [] });
const JSON_TYPE = 'application/json';
/** What a gateway says; none of the peers reads it. */
const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';

let answers = [];
let sent = 0;

/** From here on it gives these, one by one. Failures are pages of a gateway, or errors in JSON. */
export function refill(statuses, { jsonErrors = false } = {}) {
  answers = statuses.map((status) => {
    if (status === 200) return new Response(BODY, { headers: { 'Content-Type': JSON_TYPE } });
    return new Response(jsonErrors ? '{"error":{}}' : PAGE, { status, headers: { 'Content-Type': jsonErrors ? JSON_TYPE : 'text/html' } });
  });
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
