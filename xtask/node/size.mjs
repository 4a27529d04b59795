// What an application gains by this package, in bytes: small applications, bundled and minified as a page would
// ship them, then their largest parts by themselves. Writes target/size.json and target/size.txt, and prints the latter.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { sizes, table } from './compressed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function minified(contents) {
  // The chunk for pages that refuse WebAssembly is a file of its own.
  const options = { bundle: true, external: ['./asm-engine.mjs'], minify: true, write: false, format: 'esm', target: 'es2018', logLevel: 'warning' };
  return buildSync({ ...options, stdin: { contents, resolveDir: root } }).outputFiles[0].contents;
}

const measured = (name, bytes) => ({ name, ...sizes(bytes) });
const app = (names) => minified(`import { ${names} } from './pkg/index.mjs'; self.app = [${names}];`);
const glueOf = (module) => minified(`export { glue } from './target/package/stage/${module}_wasm_glue.js';`);

const rows = [
  measured('spFetch and aiFetch', app('spFetch, aiFetch')),
  measured('readAiResult and streamAi', app('readAiResult, streamAi')),
  measured('aiFetch and askAi', app('aiFetch, askAi')),
  measured('spFetch and readAll', app('spFetch, readAll')),
  measured('spFetch and writeOnce', app('spFetch, writeOnce')),
  measured('every export', minified(`import * as all from './pkg/index.mjs'; self.app = all;`)),
  measured('the js engine, a chunk of its own', readFileSync(`${root}pkg/asm-engine.mjs`)),
  ...['fetches', 'answers', 'writes'].flatMap((module) => [
    measured(`  of ${module}: the wasm`, readFileSync(`${root}target/package/${module}.wasm`)),
    measured(`  of ${module}: the glue`, glueOf(module)),
  ]),
];

const text = table('bytes added to a bundle', rows);

mkdirSync(`${root}target`, { recursive: true });
writeFileSync(`${root}target/size.json`, JSON.stringify(rows.map((row) => ({ ...row, name: row.name.trim() })), null, 2) + '\n');
writeFileSync(`${root}target/size.txt`, text + '\n');
console.log(text);
