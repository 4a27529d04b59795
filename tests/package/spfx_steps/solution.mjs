// The solution in ../spfx, installed and built as its user would do it. It is built elsewhere: its node_modules, 1.3 GB, are kept
// in a folder that is named after the lock file.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = join(ROOT, 'tests/package/spfx');
/** What npm reads, and what Heft reads. */
const FOR_NPM = ['.npmrc', 'package.json', 'package-lock.json'];
const FOR_HEFT = ['config', 'src', 'tsconfig.json'];

const CACHE = 'target/spfx';
const lock = createHash('sha256').update(readFileSync(join(SOURCE, 'package-lock.json'))).digest('hex').slice(0, 16);
/** Below the repository's root, as an address of the lab server has it. */
export const FOLDER = `${CACHE}/${lock}`;
const folder = join(ROOT, FOLDER);
export const inSolution = (path) => join(folder, path);

const copy = (names) => names.forEach((name) => cpSync(join(SOURCE, name), inSolution(name), { recursive: true }));

/** A command's output, or an error that ends with it. */
async function output(program, ...words) {
  try {
    return (await run(program, words, { cwd: folder, maxBuffer: 64 << 20 })).stdout;
  } catch ({ message, stdout = '', stderr = '' }) {
    throw new Error(`${program} ${words.join(' ')}: ${message}\n${(stdout + stderr).slice(-4_000)}`);
  }
}

/** SPFx and its tools. Says whether they had to be fetched. */
export async function installTools() {
  // npm writes this file at the end of an installation, so a broken one counts as missing.
  const kept = existsSync(inSolution('node_modules/.package-lock.json'));
  if (!kept) rmSync(join(ROOT, CACHE), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copy(FOR_NPM);
  if (!kept) await output('npm', 'ci', '--loglevel=error');
  return `${kept ? 'kept from an earlier run' : 'fetched'}, Node ${(await output('node_modules/.bin/node', '--version')).trim()}`;
}

/** The tarball, as npm installs it; not saved, so that the lock file holds for every build of the package. */
export async function installPackage(tarball) {
  // npm may take another build of the same version for the same.
  rmSync(inSolution('node_modules/steadfetch'), { recursive: true, force: true });
  await output('npm', 'install', '--no-save', '--offline', '--loglevel=error', tarball ?? (await packed()));
}

async function packed() {
  const [{ filename }] = JSON.parse(await output('npm', 'pack', '--json', '--pack-destination', folder, join(ROOT, 'pkg')));
  return inSolution(filename);
}

/** Production build, Jest and .sppkg. Says what Jest counted. */
export async function build() {
  for (const name of FOR_HEFT) rmSync(inSolution(name), { recursive: true, force: true });
  copy(FOR_HEFT);
  const said = await output('npm', 'run', 'build');
  const [, tests] = /Total: (\d+)/.exec(said) ?? [];
  if (!tests) throw new Error(`Jest ran no test:\n${said.slice(-4_000)}`);
  return `${tests} tests in SPFx's Jest`;
}

/** The web parts, by the names of their bundles: their manifests, and the scripts that were written for them. */
export function webParts() {
  const manifests = readdirSync(inSolution('release/manifests')).map((file) => `release/manifests/${file}`);
  const found = manifests.map((manifest) => {
    const { entryModuleId, scriptResources } = JSON.parse(readFileSync(inSolution(manifest), 'utf8')).loaderConfig;
    return [entryModuleId, { manifest, entry: scriptResources[entryModuleId].path }];
  });
  return Object.fromEntries(found);
}

/** Every script that was written, by name. */
export function scripts() {
  const names = readdirSync(inSolution('release/assets')).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(inSolution(`release/assets/${name}`))]));
}

/** The one script that is the js engine: nothing else in the package is nearly as large. */
export function engineChunk() {
  const entries = Object.values(webParts()).map(({ entry }) => entry);
  const least = readFileSync(join(ROOT, 'pkg/asm-engine.mjs')).length / 2;
  const large = Object.entries(scripts()).filter(([name, bytes]) => !entries.includes(name) && bytes.length > least);
  if (large.length !== 1) throw new Error(`these might be the js engine's chunk: ${large.map(([name]) => name).join() || 'none'}`);
  return large[0][0];
}

/** The .sppkg holds every script that was written. A zip archive has its names uncompressed. */
export function sppkg() {
  const archive = readFileSync(inSolution('sharepoint/solution/steadfetch-spfx-sample.sppkg'));
  const names = Object.keys(scripts());
  const missing = names.filter((name) => !archive.includes(`ClientSideAssets/${name}`));
  if (missing.length > 0) throw new Error(`not in the .sppkg: ${missing.join()}`);
  return `${archive.length.toLocaleString('en')} bytes with ${names.length} scripts, ${engineChunk()} among them`;
}
