// What browsers want to see on every answer, errors included: without these headers a page cannot tell a 429 from a dead
// network. The Function App's own CORS setting must be empty, since two layers contradict each other.

import { PASSED_ON } from './passed_on.js';

const ALLOWED = ['content-type', 'authorization', 'idempotency-key', 'x-deadline-ms'];
const EXPOSED = [...PASSED_ON, 'request-id', 'idempotency-replayed'];

/** Whoever is no page (no origin), and the pages listed. Others could not read the answer, but it would be paid for. */
export function mayAsk(headers, origins) {
  const origin = headers.get('origin');
  return origin === null || origins.includes(origin);
}

export function corsHeaders(headers, origins) {
  const origin = headers.get('origin');
  const always = { vary: 'Origin' }; // a cache must not give one page's answer to another
  if (origin === null || !origins.includes(origin)) return always;
  return {
    ...always,
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': ALLOWED.join(', '),
    'access-control-expose-headers': EXPOSED.join(', '),
    'access-control-max-age': '7200', // two hours, the most that Chromium believes
  };
}
