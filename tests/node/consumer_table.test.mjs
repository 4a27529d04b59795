// The table of consumers in the README: what the matrix measured, and nothing that differs from run to run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forReadme, forTerminal, placed } from '../package/matrix/table.mjs';
import { CONDITIONS } from '../package/matrix/pages.mjs';

const row = (consumer, step, detail, ok = true) => ({ consumer, step, ok, detail, seconds: Math.random() });
const bundled = (engines) => [
  row('Vite 8', 'build', 'main.js 124 KB'),
  ...['chromium', 'firefox'].flatMap((browser) => CONDITIONS.map(({ name }, n) => row('Vite 8', `${browser}: ${name}`, `runs on ${engines[n]}, main.js`))),
];
const README = 'before\n<!-- consumers: measured by `cargo xtask matrix` -->\nold\n<!-- /consumers -->\nafter\n';

test('a consumer is one line, with what both browsers came to, and without sizes and times', () => {
  const table = forReadme([...bundled(['wasm', 'wasm', 'js', 'wasm', 'none']), row('Node 22', '`import`', 'runs on wasm'), row('Node 22', '`require`', 'runs on wasm')]);
  assert.match(table, /^\| Vite 8 \| wasm \| wasm \| js \| wasm \| plain `fetch`, one warning \|$/m);
  assert.match(table, /^\| Node 22 \| `import`, `require` \| wasm \|$/m);
  assert.doesNotMatch(table, /KB|\d\.\d s/);
});

test('browsers that differ are both told, and a failure in one is a failure', () => {
  const rows = bundled(['wasm', 'wasm', 'js', 'wasm', 'none']);
  rows.at(-5).detail = 'runs on js';
  Object.assign(rows.at(-1), { ok: false, detail: 'warnings is 2, not 1' });
  assert.match(forReadme(rows), /^\| Vite 8 \| wasm \/ js \| wasm \| js \| wasm \| FAILED \|$/m);
  assert.match(forTerminal(rows), /^✗ Vite 8, firefox: no WebAssembly, and no chunk: warnings is 2, not 1$/m);
});

test('only what stands between the marks is replaced, and a README without them is an error', () => {
  const written = placed(README, 'new');
  assert.equal(written, README.replace('old', 'new'));
  assert.equal(placed(written, 'new'), written);
  assert.throws(() => placed('before\nafter\n', 'new'), /lacks the marks/);
});
