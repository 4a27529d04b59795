// The consumers with their tools and the tarball installed, below target/matrix/. The tools are many and change with their lock
// file alone, so they are kept, in a folder named after it; the tarball is installed at each run, in the folder above, where
// every tool finds it as it finds any package.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const CONSUMERS = fileURLToPath(new URL('../consumers', import.meta.url));
const MATRIX = fileURLToPath(new URL('../../../target/matrix', import.meta.url));

/** Resolves with the folder of the consumers and with the seconds that each of the two installations took. */
export async function installed(tarball) {
  const lock = readFileSync(join(CONSUMERS, 'package-lock.json'));
  const name = `tools-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`;
  const folder = join(MATRIX, name);
  mkdirSync(MATRIX, { recursive: true });
  for (const old of readdirSync(MATRIX)) if (old.startsWith('tools-') && old !== name) rmSync(join(MATRIX, old), { recursive: true });

  // npm writes this file at the end, so an installation that broke off counts as none.
  const kept = existsSync(join(folder, 'node_modules/.package-lock.json'));
  cpSync(CONSUMERS, folder, { recursive: true });
  const tools = kept ? 0 : await run(['npm', 'ci', '--ignore-scripts', '--no-audit'], { cwd: folder });

  writeFileSync(join(MATRIX, 'package.json'), '{ "name": "consumers", "private": true }\n');
  rmSync(join(MATRIX, 'node_modules'), { recursive: true, force: true });
  const install = ['npm', 'install', '--no-save', '--no-package-lock', '--ignore-scripts', '--offline', tarball];
  const steadfetch = await run(install, { cwd: MATRIX });
  return { folder, tools, steadfetch };
}

/** The Node that npm brought for 20 or 22, whichever this script runs on. Tools run on 22, as some ask for no less. */
export function nodeOf(folder, version) {
  const { platform, arch } = process;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const home = version === 22 ? folder : join(folder, `node-${version}`);
  const program = join(home, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) throw new Error(`tests/package/consumers names no ${name} of version ${version}`);
  return program;
}

/** The major version of a tool, by the package.json of the consumer that uses it. */
export function major(consumer, tool) {
  const { devDependencies } = JSON.parse(readFileSync(join(CONSUMERS, consumer, 'package.json'), 'utf8'));
  return devDependencies[tool].split('.')[0];
}
