// A plot of bars as SVG, on a logarithmic scale.

import { COLOURS, escape, svg } from './svg.mjs';

const ROW = 22, NAMES = 240, WIDTH = 760, TOP = 48, VALUES = 70;

/** `rows`: `{ name, values }` with a value for each of `series`; `from` is where the scale begins. */
export function bars({ title, unit, series, rows, from }) {
  const top = Math.max(...rows.flatMap(({ values }) => values), from * 10);
  const width = (value) => (Math.log(Math.max(value, from) / from) / Math.log(top / from)) * (WIDTH - NAMES - VALUES);
  const thick = (ROW - 4) / series.length;
  const parts = [`<text x="8" y="18" font-size="14">${escape(title)}</text>`];
  series.forEach((name, at) => {
    parts.push(`<rect x="${NAMES + at * 130}" y="28" width="10" height="10" fill="${COLOURS[at]}"/>`);
    parts.push(`<text x="${NAMES + at * 130 + 15}" y="37">${escape(name)}</text>`);
  });
  for (let tick = from; tick <= top; tick *= 10) {
    const x = (NAMES + width(tick)).toFixed(1);
    parts.push(`<path d="M${x} ${TOP}V${TOP + rows.length * ROW}" stroke="#d0d7de"/>`);
    parts.push(`<text x="${x}" y="${TOP + rows.length * ROW + 14}" text-anchor="middle">${tick} ${escape(unit)}</text>`);
  }
  rows.forEach(({ name, values }, row) => {
    const y = TOP + row * ROW;
    parts.push(`<text x="${NAMES - 8}" y="${y + 14}" text-anchor="end">${escape(name)}</text>`);
    values.forEach((value, at) => {
      const long = width(value);
      parts.push(`<rect x="${NAMES}" y="${(y + 2 + at * thick).toFixed(1)}" width="${long.toFixed(1)}" height="${(thick - 1).toFixed(1)}" fill="${COLOURS[at]}"/>`);
      parts.push(`<text x="${(NAMES + long + 4).toFixed(1)}" y="${(y + thick * (at + 1)).toFixed(1)}" font-size="9">${(Math.round(value * 10) / 10 || 0).toFixed(1)}</text>`);
    });
  });
  return svg(WIDTH, TOP + rows.length * ROW + 24, parts);
}
