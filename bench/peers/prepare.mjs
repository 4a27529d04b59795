// Bundles each adapter and each set as a page would ship them: these very files are measured in bytes, and imported by the
// page that measures times.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = `${ROOT}target/bench/peers`;

export default async function prepare() {
  mkdirSync(OUT, { recursive: true });
  return { adapters: await all('adapters'), sets: await all('sets') };
}

/** `{ file, packages, raw, gzip, brotli }` for each file in a folder. */
const all = (folder) =>
  Promise.all(readdirSync(`${HERE}${folder}`).sort().map((file) => bundled(`bench/peers/${folder}/${file}`)));

async function bundled(path) {
  // What only pages without WebAssembly download stays a file of its own.
  const options = { bundle: true, minify: true, format: 'esm', target: 'esnext', external: ['./asm-engine.mjs'], logLevel: 'warning' };
  const { outputFiles, metafile } = await build({ ...options, absWorkingDir: ROOT, entryPoints: [path], write: false, metafile: true });
  const [{ contents }] = outputFiles;
  const file = basename(path, '.mjs');
  writeFileSync(`${OUT}/${file}.mjs`, contents);
  const brotli = brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return {
    file,
    packages: packagesIn(Object.keys(metafile.inputs)),
    raw: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotli.length,
  };
}

const { devDependencies: pinned } = JSON.parse(readFileSync(`${HERE}package.json`, 'utf8'));
const own = JSON.parse(readFileSync(`${ROOT}pkg/package.json`, 'utf8'));

/** `ky 2.1.0` for each package that is compared; what they bring along is not named. */
function packagesIn(inputs) {
  const names = new Set(inputs.map((input) => input.startsWith('pkg/') ? own.name : /^bench\/peers\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]));
  return [...names].filter((name) => name === own.name || name in pinned).map((name) => `${name} ${name === own.name ? own.version : pinned[name]}`);
}
