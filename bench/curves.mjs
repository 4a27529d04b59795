// A plot of lines as SVG: the x axis is logarithmic, the y axis is not and begins at 0. A panel for each browser, side by side.

import { COLOURS, escape, svg } from './svg.mjs';

const PANEL = 380, LEFT = 52, RIGHT = 20, TOP = 48, HIGH = 200, BOTTOM = 44, LEGEND = 16;
const TICKS = 4;

/** `panels`: `{ name, lines }`, where a line is `{ name, values }` with a value for each of `xs`; lines have the same names in all. */
export function curves({ title, unit, xs, panels }) {
  const names = panels[0].lines.map(({ name }) => name);
  const parts = [`<text x="8" y="18" font-size="14">${escape(title)}</text>`];
  panels.forEach((panel, at) => parts.push(...drawn(panel, unit, xs, at * PANEL)));
  names.forEach((name, at) => {
    const y = TOP + HIGH + BOTTOM + at * LEGEND;
    parts.push(`<path d="M${LEFT} ${y - 4}h20" stroke="${COLOURS[at]}" stroke-width="2"/><text x="${LEFT + 26}" y="${y}">${escape(name)}</text>`);
  });
  return svg(panels.length * PANEL, TOP + HIGH + BOTTOM + names.length * LEGEND, parts);
}

function drawn({ name, lines }, unit, xs, left) {
  const step = stepTo(Math.max(...lines.flatMap(({ values }) => values)));
  const [first, last] = [xs[0], xs[xs.length - 1]].map(Math.log10);
  const x = (value) => (left + LEFT + ((Math.log10(value) - first) / (last - first)) * (PANEL - LEFT - RIGHT)).toFixed(1);
  const y = (value) => (TOP + HIGH - (Math.max(value, 0) / (step * TICKS)) * HIGH).toFixed(1);
  const parts = [`<text x="${left + LEFT}" y="38">${escape(`${name}, ${unit}`)}</text>`];
  for (let tick = 0; tick <= TICKS; tick++) {
    parts.push(`<path d="M${left + LEFT} ${y(tick * step)}H${left + PANEL - RIGHT}" stroke="#d0d7de"/>`);
    parts.push(`<text x="${left + LEFT - 6}" y="${y(tick * step)}" dy="4" text-anchor="end">${Number((tick * step).toPrecision(3)).toLocaleString('en')}</text>`);
  }
  for (const value of xs) parts.push(`<text x="${x(value)}" y="${TOP + HIGH + 16}" text-anchor="middle">${value.toLocaleString('en')}</text>`);
  lines.forEach(({ values }, at) => {
    const points = values.map((value, n) => `${x(xs[n])},${y(value)}`);
    parts.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[at]}" stroke-width="2"/>`);
  });
  return parts;
}

/** A round number, of which so many ticks reach this far. */
function stepTo(top) {
  const least = Math.max(top, 1e-9) / TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 2.5, 5, 10].map((times) => times * power).find((step) => step >= least);
}
