// What an application gains by this package, in bytes: small applications, bundled and minified as a page would
// ship them, then their largest parts by themselves. Writes target/size.json and target/size.txt, and prints the latter.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

function minified(contents) {
  // The chunk for pages that refuse WebAssembly is a file of its own.
  const options = { bundle: true, external: ['./asm-engine.mjs'], minify: true, write: false, format: 'esm', target: 'es2018', logLevel: 'warning' };
  return buildSync({ ...options, stdin: { contents, resolveDir: root } }).outputFiles[0].contents;
}

function measured(name, bytes) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

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

const line = (cells) => cells[0].padEnd(30) + cells.slice(1).map((cell) => cell.padStart(10)).join('');
const table = [
  line(['bytes added to a bundle', 'raw', 'gzip -9', 'brotli 11']),
  ...rows.map(({ name, ...sizes }) => line([name, ...Object.values(sizes).map((size) => size.toLocaleString('en'))])),
].join('\n');

mkdirSync(`${root}target`, { recursive: true });
writeFileSync(`${root}target/size.json`, JSON.stringify(rows.map((row) => ({ ...row, name: row.name.trim() })), null, 2) + '\n');
writeFileSync(`${root}target/size.txt`, table + '\n');
console.log(table);
