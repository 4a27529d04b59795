// bench/results/NAME.md, one for each bench, and bench/RESULTS.md, which is all of them. No date: only what was measured
// changes from run to run.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const RESULTS = join(HERE, 'results');
const MACHINE = 'machine.md';

/** `plots`: SVG texts by the name of their file, which the text shows as `results/NAME.svg`. */
export function keep(bench, text, plots = {}) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${bench}.md`), `${text.trim()}\n`);
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

export function joinAll() {
  const texts = readdirSync(RESULTS).filter((file) => file.endsWith('.md') && file !== MACHINE).sort();
  const read = (file) => readFileSync(join(RESULTS, file), 'utf8');
  const head = `# What the benches found\n\nWritten by \`cargo xtask bench\`; do not edit. The last whole run: ${read(MACHINE)}`;
  const why = 'Times are compared in the same run and in turns, and judged by nobody; a machine that is busy shows in the control (A/A).\n';
  writeFileSync(join(HERE, 'RESULTS.md'), [head, why, ...texts.map(read)].join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) joinAll();
