// The bundlers, each with no configuration but what it cannot do without, and the page that loads what it made.

import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { major, nodeOf } from './installed.mjs';
import { run } from './run.mjs';

const SCRIPT = '<script defer src="main.js"></script>';
const MODULE = '<script type="module" src="index.js"></script>';

/** `page`: how a page loads what a bundler without pages of its own made. `oneFile`: what is imported lazily gets no chunk. */
export const BUNDLERS = [
  { name: `Vite ${major('vite', 'vite')}`, folder: 'vite', command: ['vite', 'build'] },
  { name: `webpack ${major('webpack-5', 'webpack')}`, folder: 'webpack-5', command: ['webpack'], page: SCRIPT },
  { name: `webpack ${major('webpack-4', 'webpack')}`, folder: 'webpack-4', command: ['webpack'], page: SCRIPT },
  // It finds packages only by this plugin.
  { name: `Rollup ${major('rollup', 'rollup')}`, folder: 'rollup', command: ['rollup', 'src/index.js', '--dir', 'dist', '--plugin', 'node-resolve'], page: MODULE },
  { name: `Parcel ${major('parcel', 'parcel')}`, folder: 'parcel', command: ['parcel', 'build', 'index.html', '--no-cache'] },
  { name: 'esbuild with `--splitting --format=esm`', folder: 'esbuild', command: ['esbuild', 'src/index.js', '--bundle', '--splitting', '--format=esm', '--outdir=dist'], page: MODULE },
  { name: 'esbuild', folder: 'esbuild', command: ['esbuild', 'src/index.js', '--bundle', '--outdir=dist'], page: MODULE, oneFile: true },
];

/** Builds and resolves with the folder that a server would serve, and with what lies in it. */
export async function bundle({ folder, command, page }, consumers) {
  const cwd = join(consumers, folder);
  const dist = join(cwd, 'dist');
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(consumers, 'web'), cwd, { recursive: true });
  const tools = [join(cwd, 'node_modules/.bin'), join(consumers, 'node_modules/.bin'), dirname(nodeOf(consumers, 22))];
  await run(command, { cwd, tools });
  if (page) {
    const html = readFileSync(join(cwd, 'index.html'), 'utf8');
    writeFileSync(join(dist, 'index.html'), html.replace(/<script.*<\/script>/, page));
  }
  return dist;
}

/** `main.js 124 KB, 614.js 288 KB` */
export function emitted(dist) {
  const files = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js'));
  return files.map((name) => `${name} ${Math.round(statSync(join(dist, name)).size / 1000)} KB`).join(', ');
}
