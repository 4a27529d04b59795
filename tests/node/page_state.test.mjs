// What stands under `Symbol.for('steadfetch.page/1')`. The names are pinned here: other versions read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, answer, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const one = await importFresh();
const other = await importFresh();

const POST = { method: 'POST', body: '{}' };
const page = () => globalThis[Symbol.for('steadfetch.page/1')];
const numbered = (name) => Array.from({ length: 10 }, (_, n) => name + n);

test('entries are plain objects of plain numbers, by these names and keys', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429, { 'Retry-After': '1' }), answer(200), answer(502));
  await finish(clock, one.spFetch(LIST, { fetch }));
  await finish(clock, one.aiFetch(MODEL, { ...POST, fetch, circuit: { minimumCalls: 1 } }));
  const [origin, backEnd] = ['https://contoso.sharepoint.com', 'https://func.contoso.net/api/answer'];
  const shape = Object.fromEntries(Object.entries(page()).map(([name, entries]) => [name, [...entries].map(([key, entry]) => [key, Object.keys(entry)])]));
  assert.deepEqual(shape, {
    gates: [[origin, ['closedMono', 'closedWall', 'scouts', 'stale', 'scoutUntil', 'rampFrom', 'step', 'used', 'stepMs']]],
    budgets: [[origin, ['bucket', 'reserve', 'countedMono', 'countedWall', 'spent']]],
    circuits: [[backEnd, ['state', 'generation', 'openMono', 'openWall', 'openMs', 'intervals', 'probes', 'probeUntil']]],
    windows: [[backEnd, ['lengthMs', 'slot', ...numbered('calls'), ...numbered('failures')]]],
  });
  for (const entries of Object.values(page())) {
    for (const entry of entries.values()) for (const value of Object.values(entry)) assert.equal(typeof value, 'number');
  }
});

test('copies share it, and keep what they do not know', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(429, { 'Retry-After': '5' }), answer(200));
  await finish(clock, one.spFetch(LIST, { fetch, maxRetries: 0 }));
  Object.assign(page(), { later: new Map([['a', 1]]) });
  Object.assign(page().gates.values().next().value, { note: 'of a later version' });
  await finish(clock, other.spFetch(LIST, { fetch }));
  assert.deepEqual(at(), [0, 5_000]);
  assert.equal(page().gates.values().next().value.note, 'of a later version');
  assert.deepEqual([...page().later], [['a', 1]]);
});

test('a gate that a version without the latest number has closed holds this one back, too', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(429, { 'Retry-After': '5' }), answer(200));
  await finish(clock, one.spFetch(LIST, { fetch, maxRetries: 0 }));
  delete page().gates.values().next().value.stepMs;
  await finish(clock, other.spFetch(LIST, { fetch }));
  assert.deepEqual(at(), [0, 5_000]);
});

test('no shelf holds more than 200 entries: the one that was written longest ago leaves', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(...Array(250).fill(answer(200)));
  for (let n = 0; n < 250; n++) await finish(clock, one.aiFetch(MODEL, { ...POST, fetch, circuit: { key: `model ${n}` } }));
  const keys = [...page().windows.keys()];
  assert.deepEqual([keys.length, keys[0], keys[199]], [200, 'model 50', 'model 249']);
});

test('a relative address belongs to the origin that it is relative to now', async (t) => {
  const clock = virtualClock(t);
  const document = { baseURI: 'https://a.example/pages/home.aspx' };
  withGlobals(t, { document });
  const { fetch, at } = scripted(answer(429, { 'Retry-After': '60' }), answer(200), answer(200));
  const { spFetch } = await importFresh();
  const call = () => finish(clock, spFetch('/_api/web', { fetch, maxRetries: 0 }));
  await call();
  assert.deepEqual([...page().gates.keys()], ['https://a.example']);
  document.baseURI = 'https://b.example/';
  await call();
  document.baseURI = 'https://a.example/pages/home.aspx';
  await call();
  assert.deepEqual(at(), [0, 0, 60_000]);
});

test('an address is sent also where the page does not say what it is relative to', async (t) => {
  withGlobals(t, { document: { get baseURI() { throw new Error('detached'); } } });
  const { spFetch } = await importFresh();
  for (const url of ['/_api/web', 'http://localhost:7071/api']) {
    assert.equal((await spFetch(url, { fetch: async () => new Response() })).status, 200, url);
  }
});

test('an entry that cannot be written is replaced', async (t) => {
  const clock = virtualClock(t);
  const stubborn = [
    (entry) => Object.defineProperty(entry, 'closedMono', { set() { throw new Error(); }, get: () => 0 }),
    (entry) => Object.defineProperty(entry, 'closedMono', { writable: false }),
    (entry) => new Proxy(entry, { set: () => false }),
  ];
  for (const make of stubborn) {
    const { spFetch } = await importFresh();
    const { fetch } = scripted(answer(429, { 'Retry-After': '1' }), answer(429, { 'Retry-After': '5' }), answer(200));
    const call = (init) => finish(clock, spFetch(LIST, { fetch, ...init }));
    await call({ maxRetries: 0 });
    const [[key, entry]] = page().gates;
    page().gates.set(key, make({ ...entry }));
    await clock.tickAsync(1_000);
    await call({ maxRetries: 0 });
    const before = performance.now();
    await call();
    assert.equal(performance.now() - before, 5_000);
  }
});
