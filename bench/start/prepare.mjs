// Bundles the application in each of its variants, and writes it once for each round, with a wasm of its own.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sizes } from '../../xtask/node/compressed.mjs';
import { appended, section } from './own_bytes.mjs';
import { TIMED, VARIANTS, folder, scriptOf, wasmOf } from './variants.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAGE = `${ROOT}target/package/stage`;
const ENGINES = `${ROOT}bench/start/engines`;
const OUT = `${ROOT}${folder.slice(1)}`;
const ROUNDS = 60;
const WASM = '(the wasm)';

export default async function prepare() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const { decode } = await import(`${STAGE}/decode.js`);
  const { wasmText } = await import(`${STAGE}/fetches_wasm.js`);
  const wasm = Buffer.from(decode(wasmText));
  const bytes = {};
  for (const variant of VARIANTS) {
    const bundle = await bundled(variant);
    if (bundle.split(WASM).length !== (variant.inside ? 2 : 1)) throw new Error(`${variant.name}: the wasm is not where it should be`);
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const mark = `${variant.name} ${round}`;
      const own = section(mark);
      const whole = Buffer.concat([wasm, Buffer.from(own)]);
      const text = appended(wasmText, own);
      if (!whole.equals(decode(text))) throw new Error('a text is not that of its wasm');
      if (!variant.inside) writeFileSync(`${OUT}/${wasmOf(variant, round)}`, whole);
      const script = `${bundle.replace(WASM, () => (variant.inside === 'base64' ? whole.toString('base64') : text))}//${mark}`;
      writeFileSync(`${OUT}/${scriptOf(variant, round)}`, script);
      if (round === 0) bytes[variant.name] = [Buffer.from(script), ...(variant.inside ? [] : [whole])].map(sizes);
    }
  }
  return { rounds: ROUNDS, bytes };
}

async function bundled({ name, inside }) {
  const engine = !inside ? `${ENGINES}/separate.js` : name === TIMED ? `${ENGINES}/timed.js` : `${STAGE}/wasm_engine.js`;
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2018', write: false, logLevel: 'warning' };
  const { outputFiles } = await build({
    ...options,
    entryPoints: [`${ROOT}bench/start/app.mjs`],
    // What only pages without WebAssembly download stays a file of its own.
    external: ['./asm_engine.js'],
    alias: { steadfetch: `${STAGE}/index.js`, 'engine-source': engine },
    plugins: [wasmAs(inside)],
  });
  return outputFiles[0].text;
}

/** Leaves a gap in the place of the wasm, and exchanges the decoder. */
const wasmAs = (inside) => ({
  name: 'wasm',
  setup({ onLoad }) {
    onLoad({ filter: /\/stage\/fetches_wasm\.js$/ }, () => ({ contents: `export const wasmText = '${WASM}';` }));
    if (inside === 'base64') {
      onLoad({ filter: /\/stage\/decode\.js$/ }, () => ({ contents: readFileSync(`${ENGINES}/base64_decode.js`, 'utf8') }));
    }
  },
});
