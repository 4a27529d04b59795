// Tables in Markdown.

/** `rows`: lists of cells; all columns but the first are numbers, unless `left` names them. */
export function table(head, rows, { left = [] } = {}) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((name, at) => (at === 0 || left.includes(name) ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const digits = (number) => (Math.abs(number) < 10 ? 1 : 0);

/** `4.9 (4.7 to 5.3)` */
export function spread({ low, middle, high }, places = digits(middle)) {
  const text = (number) => number.toFixed(places).replace(/^-(0(\.0*)?)$/, '$1'); // no -0.0
  return `${text(middle)} (${text(low)} to ${text(high)})`;
}
