// The rows as tables: one to read at the terminal, with times, and the README's, which holds only what is the same at each run.

import { CONDITIONS, NO_ENGINE } from './pages.mjs';

const [BEGIN, END] = ['<!-- consumers: measured by `cargo xtask matrix` -->', '<!-- /consumers -->'];
const CALLED = {
  "SharePoint's": "SharePoint's policy",
  'one without any eval': 'without any eval',
  'one with wasm-unsafe-eval only': '`wasm-unsafe-eval` only',
  [NO_ENGINE]: 'WebAssembly missing, chunk not loadable',
};
const FAILED = 'FAILED';

/** One object a consumer: its cells by condition, what else was done, and its seconds. */
function consumers(rows) {
  return [...new Set(rows.map(({ consumer }) => consumer))].map((consumer) => {
    const own = rows.filter((row) => row.consumer === consumer);
    const loaded = ({ step }, { name }) => step.endsWith(`, ${name}`);
    const cells = CONDITIONS.map((condition) => cell(own.filter((row) => loaded(row, condition))));
    const rest = own.filter((row) => !CONDITIONS.some((condition) => loaded(row, condition)));
    return { consumer, cells, rest, seconds: own.reduce((sum, row) => sum + row.seconds, 0) };
  });
}

/** What both browsers came to. */
function cell(rows) {
  const found = [...new Set(rows.map(({ ok, detail }) => (ok ? detail : FAILED)))];
  return found.includes(FAILED) ? FAILED : found.join(' / ');
}

export function forTerminal(rows) {
  const lines = consumers(rows).map(({ consumer, cells, rest, seconds }) => [
    consumer, ...cells, rest.map(({ step, ok, detail }) => `${step}: ${ok ? detail : FAILED}`).join('; '), `${seconds.toFixed(1)} s`,
  ]);
  const head = ['consumer', ...CONDITIONS.map(({ name }) => name), 'and', 'time'];
  // What a build emitted is long, so it stands last.
  const order = (line) => [line[0], ...line.slice(1, -2), line.at(-1), line.at(-2)];
  const all = [head, ...lines].map(order);
  const widths = head.map((_, n) => Math.max(...all.map((line) => line[n].length)));
  const table = all.map((line) => line.map((text, n) => (n === line.length - 1 ? text : text.padEnd(widths[n]))).join('  '));
  const failures = rows.filter(({ ok }) => !ok).map(({ consumer, step, detail }) => `✗ ${consumer}, ${step}: ${detail}`);
  return [...table, ...failures].join('\n');
}

const IN_README = { none: 'plain `fetch`, one warning' };

export function forReadme(rows) {
  const names = CONDITIONS.map(({ name }) => CALLED[name] || name);
  const browsers = consumers(rows).filter(({ cells }) => cells.some(Boolean));
  const others = consumers(rows).filter(({ cells }) => !cells.some(Boolean));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const table = (head, lines) => [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
  const pages = table(['built with', ...names], browsers.map(({ consumer, cells }) => [consumer, ...cells.map((text) => IN_README[text] || text)]));
  const runs = table(['run in', ''], others.map(({ consumer, rest }) => [consumer, rest.map(({ step, ok, detail }) => `${step}: ${ok ? detail : FAILED}`).join(', ')]));
  return `${pages}\n\n${runs}`;
}

/** The README with this table between its marks. */
export function placed(readme, table) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks the marks ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}
