// collapseDuplicates, held against what it promises for any list of any keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { random } from './random.mjs';

const { collapseDuplicates } = await importFresh();

test('the first of each key is kept, or the last, and the rest is reported', () => {
  const a1 = { key: 'a' }, b = { key: 'b' }, a2 = { key: 'a' }, a3 = { key: 'a' };
  const key = (item) => item.key;
  assert.deepEqual(collapseDuplicates([a1, b, a2, a3], key), { items: [a1, b], duplicates: [a2, a3] });
  const last = collapseDuplicates([a1, b, a2, a3], key, 'last');
  assert.deepEqual([last.items[0] === b, last.items[1] === a3], [true, true]);
  assert.deepEqual([last.duplicates[0] === a1, last.duplicates[1] === a2], [true, true]);
});

/** Lists of items with few, awkward keys, so that many are alike. */
const KEYS = ['', 'a', 'A', 'ä', 'a\u0308', '1', 1, 1.5, '1.5', 0, -0, '0', '-0', Infinity, 'Infinity', '__proto__', 'constructor', 'length'];

function* lists(seed) {
  const next = random(seed);
  for (let run = 0; run < 2_000; run += 1) {
    const some = KEYS.filter(() => next() < 0.4);
    const keys = some.length > 0 ? some : KEYS;
    yield Array.from({ length: Math.floor(next() * 30) }, (_, place) => ({ place, key: keys[Math.floor(next() * keys.length)] }));
  }
}

for (const keep of ['first', 'last', undefined]) {
  test(`laws for any list, keep ${keep}`, () => {
    for (const list of lists(7)) {
      const before = structuredClone(list);
      const { items, duplicates } = collapseDuplicates(list, (item) => item.key, keep);
      const places = (of) => of.map(({ place }) => place);
      // Nothing is lost, nothing is added, nothing is changed, and both keep the list's order.
      assert.deepEqual(list, before);
      assert.deepEqual(places([...items, ...duplicates]).sort((a, b) => a - b), places(list));
      for (const part of [items, duplicates]) {
        assert.ok(part.every((item) => list[item.place] === item));
        assert.deepEqual(places(part), places(part).sort((a, b) => a - b));
      }
      // One of each key is kept, and it is the first or the last.
      const alike = (item) => list.filter(({ key }) => key === item.key);
      assert.equal(new Set(items.map(({ key }) => key)).size, items.length);
      for (const item of items) assert.equal(item, keep === 'last' ? alike(item).at(-1) : alike(item)[0]);
      for (const item of duplicates) assert.equal(items.filter(({ key }) => key === item.key).length, 1);
      // Once collapsed, it stays so.
      assert.deepEqual(collapseDuplicates(items, (item) => item.key, keep), { items, duplicates: [] });
    }
  });
}

test('1 and \'1\' are two keys, 0 and -0 are one', () => {
  const count = (...keys) => collapseDuplicates(keys, (key) => key).items.length;
  assert.equal(count(1, '1'), 2);
  assert.equal(count(0, -0), 1);
  assert.equal(count('a', 'A'), 2);
});

for (const key of [undefined, null, NaN, true, {}, [], Symbol('x'), 1n, () => 'x']) {
  test(`a key that is ${typeof key === 'object' ? JSON.stringify(key) : String(key)} is refused: all items without a key would be one`, () => {
    assert.throws(() => collapseDuplicates([{}, {}], () => key), { code: 'EOPTION', message: /^`key` must be a function that gives a string or a number, not / });
  });
}

test('what `key` throws is the caller\'s', () => {
  const mine = new Error('mine');
  assert.throws(() => collapseDuplicates([1], () => { throw mine; }), (error) => error === mine);
});

for (const [what, args] of Object.entries({
  items: [{ value: [] }, String], 'items ': [undefined, String], 'items  ': ['abc', String], key: [[], 'Id'], 'key ': [[]], keep: [[], String, 'both'], 'keep ': [[], String, null],
})) {
  test(`a wrong \`${what.trim()}\` is refused by name`, () => {
    assert.throws(() => collapseDuplicates(...args), { code: 'EOPTION', message: new RegExp(`^\`${what.trim()}\` must be `) });
  });
}

test('`key` is asked once for each item, with the item alone, and a list that it changes meanwhile is read as it was', () => {
  const list = ['a', 'b', 'a'];
  const asked = [];
  const { items, duplicates } = collapseDuplicates(list, (...args) => {
    asked.push(args);
    list.length = 0;
    return args[0];
  });
  assert.deepEqual([items, duplicates, asked], [['a', 'b'], ['a'], [['a'], ['b'], ['a']]]);
});

test('a hundred thousand items are no matter', () => {
  const list = Array.from({ length: 100_000 }, (_, place) => place % 50_000);
  const { items, duplicates } = collapseDuplicates(list, (item) => item);
  assert.deepEqual([items.length, duplicates.length], [50_000, 50_000]);
});
