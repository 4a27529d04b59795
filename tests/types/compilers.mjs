// The packed package in consumers of every compiler that it supports, by every way that these find a package, strict.
// `cargo xtask check types` calls it with the tarball; it prints a table, and what a compiler had to say.

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const own = join(here, 'compilers/node_modules');

/** What every consumer says. Each compiler brings the `dom` library of its time, and so the `fetch` that ours stand for. */
const STRICT = { strict: true, noEmit: true, types: [], target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] };
const CONSUMERS = ['consumer.mts', 'adapters.mts'];
/** The libraries that tools.mts imports do not compile by themselves everywhere, so there the types of libraries are skipped. */
const TOOLS = { files: ['tools.mts'], skipLibCheck: true };

/** As @microsoft/spfx-web-build-rig 1.23.2 has it in tsconfig-base.json, `skipLibCheck` and all. */
const SPFX = {
  strict: true, noEmit: true, types: [], esModuleInterop: true, experimentalDecorators: true, importHelpers: true,
  skipLibCheck: true, module: 'esnext', moduleResolution: 'node', target: 'es5',
  lib: ['dom', 'es5', 'es2015.core', 'es2015.collection', 'es2015.iterable', 'es2015.promise', 'es2015.proxy'],
};

/** By column of the table: what is compiled. */
const WAYS = {
  node: [{ ...STRICT, module: 'esnext', moduleResolution: 'node', files: CONSUMERS }],
  node16: [
    { ...STRICT, module: 'node16', moduleResolution: 'node16', files: [...CONSUMERS, 'consumer.cts'] },
    { ...STRICT, module: 'node16', moduleResolution: 'node16', ...TOOLS },
  ],
  nodenext: [{ ...STRICT, module: 'nodenext', moduleResolution: 'nodenext', files: [...CONSUMERS, 'consumer.cts'] }],
  bundler: [{ ...STRICT, module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true, files: CONSUMERS }],
  spfx: [{ ...SPFX, files: ['spfx.ts'] }, { ...SPFX, skipLibCheck: false, files: ['spfx.ts'] }],
};
/** The first major version that has it. */
const FROM = { bundler: 5 };
/** TypeScript 7 knows neither `moduleResolution: node` nor the target es5 any more. */
const BEFORE = { node: 7, spfx: 7 };

const compilers = [
  ...readdirSync(own).filter((name) => name.startsWith('typescript-')).map((name) => join(own, name)),
  join(root, 'node_modules/typescript'),
].map((folder) => ({ folder, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version }));
compilers.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));

const consumer = mkdtempSync(join(tmpdir(), 'steadfetch-compilers-'));
try {
  install(process.argv[2]);
  const cells = compilers.flatMap((compiler) => Object.keys(WAYS).map((way) => ({ compiler, way, said: undefined })));
  const possible = cells.filter(({ compiler: { version }, way }) => parseFloat(version) >= (FROM[way] ?? 0) && parseFloat(version) < (BEFORE[way] ?? Infinity));
  await each(possible, async (cell) => {
    const said = [];
    for (const options of WAYS[cell.way]) said.push(await compile(cell.compiler, options));
    cell.said = said.join('');
  });
  print(cells);
  for (const { compiler, way, said } of possible) if (said) console.error(`\nTypeScript ${compiler.version}, ${way}:\n${said}`);
  if (possible.some(({ said }) => said)) process.exitCode = 1;
  else await proveThatTheLibraryIsNamed();
} finally {
  rmSync(consumer, { recursive: true, force: true });
}

/** The package from its tarball, and beside it what the consumers import. Nothing of the repository is in reach of it. */
function install(tarball) {
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
  execFileSync('npm', ['install', '--silent', '--offline', '--no-save', tarball], { cwd: consumer, stdio: 'inherit' });
  for (const file of [...CONSUMERS, ...TOOLS.files, 'consumer.cts', 'spfx.ts']) cpSync(join(here, file), join(consumer, file));
  const beside = [[root, '@opentelemetry/api'], [root, '@microsoft/applicationinsights-web'], [join(here, 'compilers'), 'tslib']];
  for (const [from, name] of beside) {
    mkdirSync(dirname(join(consumer, 'node_modules', name)), { recursive: true });
    symlinkSync(join(from, 'node_modules', name), join(consumer, 'node_modules', name), 'junction');
  }
}

/** What the compiler said, which is nothing if all is well. */
async function compile({ folder, version }, { files, ...compilerOptions }) {
  const project = join(consumer, `tsconfig.${(compile.count = (compile.count ?? 0) + 1)}.json`);
  // TypeScript 6 wants to be told that one knows that some options are old.
  if (parseFloat(version) === 6) compilerOptions.ignoreDeprecations = '6.0';
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'bin/tsc'), '-p', project], { cwd: consumer }, (error, stdout, stderr) =>
      resolve(error ? stdout + stderr || String(error) : ''));
  });
}

/** The test of the test: without the line that names the library, SPFx's compiler must find that pieces are `any`. */
async function proveThatTheLibraryIsNamed() {
  const types = join(consumer, 'node_modules/steadfetch/index.d.ts');
  const named = readFileSync(types, 'utf8');
  writeFileSync(types, named.replace(/^\/\/\/ <reference lib.*$/m, ''));
  const said = await compile(compilers.find(({ version }) => version.startsWith('5.3')), WAYS.spfx[0]);
  if (!/spfx\.ts\(\d+,\d+\): error TS2578/.test(said)) throw new Error(`spfx.ts does not notice that AsyncIterable is unknown: ${said}`);
}

async function each(items, work) {
  const waiting = items.values();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => { for (const item of waiting) await work(item); }));
}

function print(cells) {
  const ways = Object.keys(WAYS);
  console.log(['TypeScript', ...ways].map((head) => head.padEnd(12)).join(''));
  for (const { version } of compilers) {
    const row = cells.filter(({ compiler }) => compiler.version === version);
    console.log([version, ...row.map(({ said }) => (said === undefined ? '-' : said ? 'FAILED' : 'ok'))].map((cell) => cell.padEnd(12)).join('').trimEnd());
  }
}
