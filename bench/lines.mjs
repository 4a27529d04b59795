// The report of a bench that compares ways beside each other: its pages give groups of them, `{ title, results }`, with what
// `compare` gave.

export const lines = (title, unit, found) =>
  [`## ${title}`, ...Object.entries(found).map(([browser, groups]) => `${browser}:\n\n\`\`\`text\n${[head(unit), ...groups.flatMap(group)].join('\n')}\n\`\`\``)].join('\n\n');

const head = (unit) => `time ${unit}, ratio to the first (middle, and 10th to 90th percentile of rounds):`;
const group = ({ title, results }) => [`${title}:`, ...results.map(row)];

/** `normalizeUrl     1.23 µs   0.80 (0.75 to 0.91)` */
function row({ name, micros, ratio, low, high }) {
  const spread = ratio === 1 && low === 1 ? '' : `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `  ${name.padEnd(34)}${micros.toFixed(2).padStart(8)} µs   ${spread}`;
}

/** One bar for each browser and each way after the first of a group: its ratio, against the goal. */
export const barsOf = (bar, found, goalOf) =>
  Object.entries(found).flatMap(([browser, groups]) =>
    groups.flatMap(({ title, results: [, ...others] }) => others.map(({ name, micros, ratio }) => {
      const { most, ofMicros } = goalOf(browser, title);
      const value = ofMicros ? micros : ratio, unit = ofMicros ? ' µs' : '';
      return { bar, what: `${name}, ${title}, ${browser}`, wanted: `at most ${most}${unit}`, found: `${value.toFixed(2)}${unit}`, met: value <= most };
    })));
