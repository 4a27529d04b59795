// The two files of the package as files: what importing them does, and which JavaScript they are written in.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { importFresh, recordingFetch, withGlobals } from './fresh_package.mjs';

const require = createRequire(import.meta.url);
const COMMON_JS = '../../pkg/index.cjs';
const PKG = new URL('../../pkg/', import.meta.url);

function requireFresh() {
  delete require.cache[require.resolve(COMMON_JS)];
  return require(COMMON_JS);
}

/** The entries that have types, which are all that a user may import. */
const entries = readdirSync(PKG).filter((name) => name.endsWith('.d.ts')).map((name) => name.replace('.d.ts', ''));

for (const entry of entries) {
  test(`${entry}: both kinds of module export what the types declare, and nothing else`, async () => {
    const types = readFileSync(new URL(`${entry}.d.ts`, PKG), 'utf8');
    const declared = [...types.matchAll(/^export (?:function|class|const) (\w+)/gm)].map(([, name]) => name);
    for (const loaded of [await import(new URL(`${entry}.mjs`, PKG)), require(fileURLToPath(new URL(`${entry}.cjs`, PKG)))]) {
      assert.deepEqual(Object.keys(loaded).sort(), [...new Set(declared)].sort());
    }
  });
}

for (const [kind, load] of [['import', importFresh], ['require', requireFresh]]) {
  test(`${kind} alone starts nothing`, async (t) => {
    const touched = [];
    const forbidden = (name) => new Proxy(function () {}, {
      get: (_, member) => touched.push(`${name}.${String(member)}`),
      construct: () => touched.push(`new ${name}`) && {},
    });
    const names = ['WebAssembly', 'TextDecoder', 'TextEncoder', 'fetch', 'setTimeout', 'crypto'];
    withGlobals(t, Object.fromEntries(names.map((name) => [name, forbidden(name)])));
    const { engine } = await load();
    assert.deepEqual(touched, []);
    assert.equal(engine(), 'not-loaded');
  });

  test(`the first call after ${kind} runs in wasm, without any initialisation`, async (t) => {
    const { fetch, calls } = recordingFetch();
    withGlobals(t, { fetch });
    const { spFetch, engine } = await load();
    const response = await spFetch('https://contoso.sharepoint.com/_api/web');
    assert.equal(await response.text(), 'ok');
    assert.equal(calls.length, 1);
    assert.equal(engine(), 'wasm');
  });
}

test('a page without TextDecoder, TextEncoder and fetch, such as jsdom, can import and call', async (t) => {
  withGlobals(t, { TextDecoder: undefined, TextEncoder: undefined, fetch: undefined });
  const { spFetch, explain, ready, engine } = await importFresh();
  assert.equal(await ready(), 'wasm');
  assert.equal(typeof explain({}), 'string');
  const { fetch } = recordingFetch();
  globalThis.fetch = fetch; // as a test's own mock comes after the import
  const response = await spFetch('https://contoso.sharepoint.com/_api/web/lists?q=Übersicht 😀 \uD800');
  assert.equal(response.status, 200);
  assert.equal(engine(), 'wasm');
});

for (const [file, format] of [['index.mjs', 'esm'], ['index.cjs', 'cjs']]) {
  test(`${file} is ES2018 and needs nothing of its bundler`, () => {
    const text = readFileSync(new URL(`../../pkg/${file}`, import.meta.url), 'utf8');
    const lowered = (target) => transformSync(text, { target, format: format === 'esm' ? 'esm' : undefined }).code;
    assert.equal(lowered('es2018'), lowered('esnext'), 'nothing newer is left to be translated');
    assert.doesNotMatch(text, /import\.meta|new URL\(/);
    // The js engine, if it comes to that.
    const others = [...text.matchAll(/\b(?:import|require)\((.*?)\)/g)].map(([, file]) => file);
    assert.deepEqual(others, [`"./asm-engine.${format === 'esm' ? 'mjs' : 'cjs'}"`]);
  });
}
