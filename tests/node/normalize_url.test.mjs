// `normalizeUrl` through the package: what it is given, and how often it crosses into the wasm. The rules themselves
// are tested beside the code.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';

const { normalizeUrl } = await importFresh();
const { cases } = JSON.parse(readFileSync(new URL('../vectors/urls.json', import.meta.url), 'utf8'));
const ITEM = "https://contoso.sharepoint.com/sites/hr/_api/web/lists/getbytitle('Tasks')/items(7)?$top=5&$filter=Title eq 'x'";
const TEMPLATE = '/sites/{site}/_api/web/lists/getbytitle({s})/items({n})';
const LOCKED = { get: () => { throw new Error('no'); }, ownKeys: () => { throw new Error('no'); } };

test('the options decide what is told, and without them it is least', () => {
  assert.equal(normalizeUrl(ITEM), TEMPLATE);
  assert.equal(normalizeUrl(ITEM, { query: 'names' }), `${TEMPLATE}?$top=&$filter=`);
  assert.equal(normalizeUrl(ITEM, { query: 'shape' }), `${TEMPLATE}?$top={n}&$filter=Title eq {s}`);
  assert.equal(normalizeUrl(ITEM, { sites: 'keep' }), TEMPLATE.replace('{site}', 'hr'));
  assert.equal(normalizeUrl(ITEM, { query: 'names', sites: 'keep' }), `${TEMPLATE.replace('{site}', 'hr')}?$top=&$filter=`);
});

test('a wrong option counts as the one that tells least', () => {
  const wrong = [undefined, null, 'all', 1, {}, Symbol('names'), ['names']];
  for (const value of wrong) assert.equal(normalizeUrl(ITEM, { query: value, sites: value }), TEMPLATE);
  for (const options of [null, 0, 'names', Symbol('names'), [], new Proxy({}, LOCKED)]) assert.equal(normalizeUrl(ITEM, options), TEMPLATE);
});

test('a URL is as good as its text', () => {
  assert.equal(normalizeUrl(new URL(ITEM)), TEMPLATE);
  assert.equal(normalizeUrl(new URL('https://contoso.sharepoint.com')), '/');
  assert.equal(normalizeUrl('/sites/\u00fcber/_api/web/lists/getbytitle(\'\ud800 \ud83d\ude00\')'), '/sites/{site}/_api/web/lists/getbytitle({s})');
});

test('what is no address is {other}, whatever it does when it is looked at', () => {
  const hostile = [
    undefined, null, 7, 7n, true, Symbol('x'), {}, [], () => ITEM, new Proxy({}, LOCKED), new Proxy(() => {}, LOCKED), Object.create(null),
    { get href() { throw new Error('no'); } }, { href: 7 }, { href: Symbol('x') }, { toString() { throw new Error('no'); } },
    { [Symbol.toPrimitive]: () => { throw new Error('no'); } },
  ];
  for (const url of hostile) assert.equal(normalizeUrl(url, { query: 'shape' }), '{other}');
});

test('nothing that must not be told crosses', () => {
  assert.ok(cases.length > 200);
  for (const { url, mustNotContain = [] } of cases) {
    const told = ['drop', 'names', 'shape'].map((query) => normalizeUrl(url, { query })).join('\n').toLowerCase();
    for (const secret of mustNotContain) assert.ok(!told.includes(secret.toLowerCase()), `${secret} in ${told}`);
  }
});

/** Counts the calls into the wasm. */
function countEntries(t) {
  const { WebAssembly } = globalThis;
  const count = { entries: 0, broken: false };
  const counting = (inner) => (...args) => {
    count.entries += 1;
    if (count.broken) throw new WebAssembly.RuntimeError('unreachable');
    return inner(...args);
  };
  class Instance {
    constructor(module, imports) {
      const members = Object.entries(new WebAssembly.Instance(module, imports).exports);
      this.exports = Object.fromEntries(members.map(([name, member]) => [name, typeof member === 'function' ? counting(member) : member]));
    }
  }
  withGlobals(t, { WebAssembly: { Module: WebAssembly.Module, Instance } });
  return count;
}

test('an address that was asked for before is answered without crossing', async (t) => {
  const count = countEntries(t);
  const { normalizeUrl } = await importFresh();
  const crosses = (url, options) => {
    const before = count.entries;
    normalizeUrl(url, options);
    return count.entries > before;
  };
  assert.equal(crosses(ITEM), true);
  assert.equal(crosses(ITEM), false);
  assert.equal(crosses(new URL(ITEM)), true, 'its blanks are escaped');
  assert.equal(crosses(new URL(ITEM)), false);
  assert.equal(crosses(ITEM, { query: 'shape' }), true, 'other options, another answer');
  assert.equal(crosses(ITEM, { query: 'shape' }), false);
  assert.equal(normalizeUrl(ITEM, { query: 'shape' }), `${TEMPLATE}?$top={n}&$filter=Title eq {s}`);
  assert.equal(normalizeUrl(ITEM), TEMPLATE);

  const long = `/${'a'.repeat(2000)}`;
  assert.equal(crosses(long.slice(0, 2000)), true);
  assert.equal(crosses(long.slice(0, 2000)), false);
  for (let i = 0; i < 2; i += 1) assert.equal(crosses(long), true, 'too long to be kept');
});

test('two hundred answers are kept, and the oldest goes first', async (t) => {
  const count = countEntries(t);
  const { normalizeUrl } = await importFresh();
  const crossings = (urls) => {
    const before = count.entries;
    for (const url of urls) normalizeUrl(url);
    return count.entries - before;
  };
  const urls = Array.from({ length: 201 }, (_, i) => `/api/orders/${i}`);
  crossings(urls.slice(0, 200));
  assert.equal(crossings(urls.slice(0, 200)), 0);
  assert.ok(crossings([urls[200]]) > 0);
  assert.equal(crossings(urls.slice(1)), 0);
  assert.ok(crossings([urls[0]]) > 0);
});

test('until there is an engine every address is {other}', async (t) => {
  t.mock.method(console, 'warn', () => {});
  withGlobals(t, { WebAssembly: undefined });
  const { engine, normalizeUrl, ready } = await importFresh();
  assert.equal(normalizeUrl(ITEM), '{other}');
  assert.equal(normalizeUrl(ITEM, { query: 'shape' }), '{other}');
  assert.equal(engine(), 'not-loaded');
  await ready();
  assert.equal(normalizeUrl(ITEM), TEMPLATE);
  assert.equal(engine(), 'js');
});

test('an engine that stops leaves {other}, and what was known', async (t) => {
  t.mock.method(console, 'warn', () => {});
  const count = countEntries(t);
  const { engine, normalizeUrl } = await importFresh();
  normalizeUrl(ITEM);
  count.broken = true;
  assert.equal(normalizeUrl('/api/orders'), '{other}');
  assert.equal(engine(), 'none');
  assert.equal(normalizeUrl(ITEM), TEMPLATE);
});
