// The rows as tables: one to read at the terminal, with times, and the README's, which holds only what is the same at each run.

import { CONDITIONS } from './pages.mjs';

const [BEGIN, END] = ['<!-- consumers: measured by `cargo xtask matrix` -->', '<!-- /consumers -->'];
const FAILED = 'FAILED';

/** One object a consumer: what its pages came to under each condition, what else was done, and its seconds. */
function consumers(rows) {
  return [...new Set(rows.map(({ consumer }) => consumer))].map((consumer) => {
    const own = rows.filter((row) => row.consumer === consumer);
    const loaded = ({ step }, { name }) => step.endsWith(`: ${name}`);
    const pages = CONDITIONS.map((condition) => outcome(own.filter((row) => loaded(row, condition))));
    const rest = own.filter((row) => !CONDITIONS.some((condition) => loaded(row, condition)));
    return { consumer, pages, rest, seconds: own.reduce((sum, row) => sum + row.seconds, 0) };
  });
}

/** What all of them came to: the engine of `runs on js, …`, or the whole of what else they say. */
function outcome(rows) {
  const engine = (detail) => /^runs on (\w+)/.exec(detail)?.[1] || detail;
  const found = [...new Set(rows.map(({ ok, detail }) => (ok ? engine(detail) : FAILED)))];
  return found.includes(FAILED) ? FAILED : found.join(' / ');
}

/** `under one without any eval` → `without any eval` */
const headings = CONDITIONS.map(({ name }) => name.replace(/^under (one )?/, ''));

export function forTerminal(rows) {
  const oneLine = (text) => text.replace(/\s+/g, ' ');
  const told = ({ step, ok, detail, seconds }) => `${step} (${seconds.toFixed(1)} s) ${ok ? oneLine(detail) : FAILED}`;
  const lines = consumers(rows).map(({ consumer, pages, rest, seconds }) => [
    consumer, `${seconds.toFixed(1)} s`, ...pages, rest.map(told).join('; '),
  ]);
  const all = [['consumer', 'time', ...headings, 'of that'], ...lines];
  const widths = all[0].map((_, n) => Math.max(...all.map((line) => line[n].length)));
  const padded = (line) => line.map((text, n) => (n < line.length - 1 ? text.padEnd(widths[n]) : text)).join('  ');
  const failures = rows.filter(({ ok }) => !ok).map(({ consumer, step, detail }) => `✗ ${consumer}, ${step}: ${detail}`);
  return [...all.map(padded), ...failures].join('\n');
}

export function forReadme(rows) {
  const all = consumers(rows);
  const inBrowsers = all.filter(({ pages }) => pages.some(Boolean));
  const others = all.filter((one) => !inBrowsers.includes(one));
  const called = (engine) => (engine === 'none' ? 'plain `fetch`, one warning' : engine);
  return [
    markdown(['built with', ...headings], inBrowsers.map(({ consumer, pages }) => [consumer, ...pages.map(called)])),
    markdown(['run in', 'by', 'engine'], others.map(({ consumer, rest }) => [consumer, rest.map(({ step }) => step).join(', '), outcome(rest)])),
  ].join('\n\n');
}

function markdown(head, lines) {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The README with this table between its marks. */
export function placed(readme, table) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks the marks ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}
