// Every case of the shared header vectors, through the built package, from everything that holds headers on a page.
// What the fields of a case mean stands in the `about` of each file.

import { expect } from '/node_modules/chai/index.js';
import { readRateLimit, readRetryAfter } from '/pkg/index.mjs';

const cases = async (file) => (await (await fetch(`/tests/vectors/${file}.json`)).json()).cases;
const retryAfter = await cases('retry_after');
const rateLimit = await cases('ratelimit');

const SHAPES = {
  'a record': (headers) => headers,
  'a Map': (headers) => new Map(Object.entries(headers)),
  Headers: (headers) => new Headers(headers),
  'a Response': (headers, status) => new Response(null, { status, headers }),
  'a Response-like object': (headers, status) => ({ status, headers: { get: (name) => lookUp(headers, name) } }),
};

function lookUp(headers, name) {
  const [, value = null] = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase()) || [];
  return value;
}

const milliseconds = (seconds) => (seconds == null ? null : Math.round(seconds * 1000));

function counters(want) {
  const { limit = null, remaining = null, resetSeconds } = want || {};
  return { limit, remaining, resetMs: milliseconds(resetSeconds) };
}

/** What `readRateLimit` answers where the vectors want this: the same in our names and in milliseconds. */
function wantedLimit({ want, wantByUnit = {} }) {
  const units = Object.fromEntries(Object.entries(wantByUnit).map(([name, unit]) => [name, counters(unit)]));
  const hasUnits = Object.keys(units).length > 0;
  if (!want && !hasUnits) return null;
  const policy = (want && want.policy) || null;
  return {
    ...counters(want),
    policy: policy && policy.map(({ name = null, q = null, w }) => ({ name, limit: q, windowMs: milliseconds(w) })),
    ...(hasUnits && { units }),
  };
}

describe('headers of the vectors', () => {
  for (const [shape, make] of Object.entries(SHAPES)) {
    it(`the wait of every case is read from ${shape}`, () => {
      expect(retryAfter.length).to.be.above(100);
      for (const { id, headers, status, nowMs, want, wantKind } of retryAfter) {
        const read = readRetryAfter(make(headers, status), nowMs);
        if (wantKind === 'atLeast') expect(read, id).to.be.at.least(want);
        else expect(read, id).to.equal(want);
      }
    });

    it(`the limits of every case are read from ${shape}`, () => {
      expect(rateLimit.length).to.be.above(100);
      for (const vector of rateLimit) {
        const read = readRateLimit(make(vector.headers, vector.status), vector.nowMs);
        // Vendors outside of the product's scope need not be understood, but never wrongly.
        if (vector.support === 'optional' && read === null) continue;
        expect(read, vector.id).to.deep.equal(wantedLimit(vector));
      }
    });
  }
});
