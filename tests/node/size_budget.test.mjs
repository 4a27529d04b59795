// What the package adds to a bundle: the last build measured it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BYTES } from '../budgets.mjs';

/** More than this below its budget, and the budget is out of date. */
const SAVED = 0.03;

const measured = JSON.parse(readFileSync(new URL('../../target/size.json', import.meta.url), 'utf8'));

for (const [name, budget] of Object.entries(BYTES)) {
  test(`${name}: at most ${budget} bytes in a bundle`, () => {
    const { brotli } = measured.find((row) => row.name === name);
    assert.ok(brotli <= budget, `${brotli} bytes: make it less, or say why in tests/budgets.mjs`);
    assert.ok(brotli >= budget * (1 - SAVED), `only ${brotli} bytes: lower its budget in tests/budgets.mjs`);
  });
}
