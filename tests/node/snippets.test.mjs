// The runner of the wasm tests brings along only the JavaScript that Rust names, and waits for ever for what is missing.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const SRC = new URL('../../src/', import.meta.url);
const textOf = (file) => readFileSync(new URL(file, SRC), 'utf8');
const rust = readdirSync(SRC, { recursive: true }).filter((file) => file.endsWith('.rs')).map((file) => textOf(file.replaceAll('\\', '/')));
const named = new Set(rust.flatMap((text) => [...text.matchAll(/module = "\/src\/([\w/]+\.js)"/g)].map(([, file]) => file)));

test('whatever a JavaScript module that Rust imports itself imports is named in Rust, too', () => {
  assert.ok(named.size > 10);
  for (const file of named) {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    for (const [, other] of textOf(file).matchAll(/^import .* from '\.\/([\w]+\.js)';$/gm)) {
      assert.ok(named.has(folder + other), `${file} imports ${other}: name it in src/browser/tests.rs`);
    }
  }
});
