// bench/results/NAME.md and NAME.bars.json, for each bench, and bench/RESULTS.md, which is all of them. No date: only what was
// measured changes from run to run.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from './table.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const RESULTS = join(HERE, 'results');
const MACHINE = 'machine.md', BARS = '.bars.json';

/**
 * `plots`: SVG texts by the name of their file, which the text shows as `results/NAME.svg`. `bars`: a list of
 * `{ bar, what, wanted, found, met }`, all but `met` texts.
 */
export function keep(bench, { text, plots = {}, bars = [] }) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${bench}.md`), `${text.trim()}\n`);
  writeFileSync(join(RESULTS, `${bench}${BARS}`), `${JSON.stringify(bars, null, 1)}\n`);
  for (const [name, svg] of Object.entries(plots)) writeFileSync(join(RESULTS, name), svg);
}

/** `versions`: of browsers, by name. */
export function keepMachine(versions) {
  const [{ model }] = cpus();
  const names = Object.entries(versions).map(([name, version]) => `${name[0].toUpperCase()}${name.slice(1)} ${version}`);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, MACHINE), `${names.join(', ')}, headless, on ${cpus().length} cores (${model}, ${memory}), Node ${process.versions.node}.\n`);
}

const files = (ending) => readdirSync(RESULTS).filter((file) => file.endsWith(ending) && file !== MACHINE).sort();
const read = (file) => readFileSync(join(RESULTS, file), 'utf8');

export function joinAll() {
  const head = `# What the benches found\n\nWritten by \`cargo xtask bench\`; do not edit. The last whole run: ${read(MACHINE)}`;
  const why = 'Times are compared in the same run and in turns, and judged by nobody; a machine that is busy shows in the control (A/A). What was tried to make them better stands in [SPEED.md](SPEED.md) and [SIZE.md](SIZE.md), each design kept or dropped.\n';
  writeFileSync(join(HERE, 'RESULTS.md'), [head, why, allBars(), ...files('.md').map(read)].join('\n'));
}

/** In the order of their numbers. */
function allBars() {
  const bars = files(BARS).flatMap((file) => JSON.parse(read(file))).sort((a, b) => parseFloat(a.bar) - parseFloat(b.bar));
  const rows = bars.map(({ bar, what, wanted, found, met }) => [bar, what, wanted, found, met ? 'met' : '**missed**']);
  return `## The bars\n\n${table(['bar', '', 'wanted', 'found', ''], rows, { left: ['', 'wanted', 'found'] })}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) joinAll();
