// What is read out of a histogram of fixed size is what sorting the times would have given, within 5 %.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { histogram, quantile, stepOf } from '../../src/browser/histogram.js';

const SETS = new URL('../vectors/latencies/', import.meta.url);
const SHARES = [0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];
/** The shortest time that is told from none. */
const SHORTEST = 1 / 16;

const countsOf = (times) => times.reduce((counts, ms) => (counts[stepOf(ms)]++, counts), histogram());

const files = readdirSync(SETS);
assert.ok(files.length >= 8);
for (const file of files) {
  const { about, ms } = JSON.parse(readFileSync(new URL(file, SETS), 'utf8'));
  test(`quantiles are within 5 % of the exact ones: ${file}: ${about}`, () => {
    const sorted = [...ms].sort((a, b) => a - b), counts = countsOf(ms);
    for (const share of SHARES) {
      const exact = sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
      const told = quantile(counts, share);
      assert.ok(Math.abs(told - exact) <= 0.05 * exact, `p${share * 100}: ${told} instead of ${exact}`);
    }
  });
}

test('every time from a 16th of a millisecond to 70 minutes is told within 3.2 %', () => {
  for (let ms = SHORTEST; ms < 2 ** 22; ms *= 1.0007) {
    const told = quantile(countsOf([ms]), 0.5);
    assert.ok(Math.abs(told / ms - 1) <= 1 / 32, `${told} instead of ${ms}`);
  }
});

test('what lies outside counts as the shortest and the longest, and breaks nothing', () => {
  for (const ms of [0, -0, SHORTEST / 2, -1, -Infinity]) assert.equal(quantile(countsOf([ms]), 0.5), 0);
  const longest = quantile(countsOf([2 ** 22 - 1]), 0.5);
  for (const ms of [2 ** 22, 1e300, Infinity, NaN]) assert.equal(quantile(countsOf([ms]), 0.5), longest);
});

test('without samples there is nothing to tell', () => {
  assert.equal(quantile(histogram(), 0.5), null);
});

test('a histogram has the same size whatever it has seen', () => {
  const counts = histogram();
  for (let n = 0; n < 100_000; n++) counts[stepOf((n * 7919) % 300_000)]++;
  assert.deepEqual([counts.byteLength, Object.keys(counts).length], [1_668, 417]);
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 100_000);
});
