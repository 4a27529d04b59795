// The package's types as a list of what is promised: golden.d.ts has those of each entry, without their documentation. A
// change of the API so stands in a commit where nobody overlooks it, and one by accident fails here.
// `cargo xtask test types` compares; `node tests/types/golden.mjs --update` takes what is built.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const [pkg, golden, target] = ['../../pkg', 'golden.d.ts', '../../target/package/golden.d.ts'].map((path) => join(here, path));

const files = existsSync(pkg) ? readdirSync(pkg).filter((name) => /\.d\.m?ts$/.test(name)) : [];
if (files.length === 0) throw new Error('there are no types in pkg/: run `cargo xtask build`');

// By text, since most files come in twos: one for each kind of module, which says so where it imports.
const entries = new Map();
for (const name of files) {
  const text = promised(readFileSync(join(pkg, name), 'utf8')).replace(/'\.\/index\.mjs'/g, name.endsWith('.d.mts') ? "'./index.js'" : '$&');
  entries.set(text, [...(entries.get(text) ?? []), name]);
}
const built = [...entries].map(([text, names]) => `// ${names.join(', ')}\n${text}`).join('\n');

if (process.argv[2] === '--update') {
  writeFileSync(golden, built);
} else if (!existsSync(golden) || readFileSync(golden, 'utf8') !== built) {
  writeFileSync(target, built);
  spawnSync('git', ['--no-pager', 'diff', '--no-index', '--no-prefix', golden, target], { stdio: 'inherit' });
  console.error('\nThese are not the types that the package had. If they are to be: node tests/types/golden.mjs --update');
  process.exitCode = 1;
}

/** Without comments, except for `/// <reference …>`, which a compiler obeys. Strings may hold what looks like a comment. */
function promised(text) {
  const code = text.replace(/('(?:\\.|[^'\\\n])*'|\/\/\/ <.*)|\/\*[^]*?\*\/|\/\/.*/g, (_, kept = '') => kept);
  return code.replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n').trimStart();
}
