// What bench/growth found, as tables and plots, and whether it is flat or logarithmic.

import { curves } from '../curves.mjs';
import { medianInterval, quarters, ratios } from '../statistics.mjs';
import { spread, table } from '../table.mjs';
import { CALLS, CONTROL, COUNTS, PLACES, key } from './scales.mjs';

/** Logarithmic is at most this part of the cost at 1 more, each time that there are ten times as many. */
const A_TENFOLD = 0.5;
const limit = (count) => 1 + A_TENFOLD * Math.log10(count);
/** Bytes for each of the last nine thousand places, beyond the control: an entry that is kept takes two thousand. */
const BOUNDED = 100;
const LAST = COUNTS.at(-1) - COUNTS.at(-2);
const KB = 1_000;

export default function report(found) {
  const browsers = Object.entries(found);
  const plot = (title, unit, lines, values) =>
    curves({ title, unit, xs: COUNTS, panels: browsers.map(([name, of]) => ({ name, lines: Object.entries(lines).map(([line, title]) => ({ name: title, values: values(of, line) })) })) });
  const ratio = ({ times }, line) => COUNTS.map((count) => quarters(relative(times, line, count)).middle);
  return {
    text: [
      '## Growth',
      `With more endpoints, origins and calls under way, up to ${number(COUNTS.at(-1))} of them. The bar: cost and memory are flat or logarithmic. Judged so: ten times as many of them make a call dearer by at most ${A_TENFOLD} of what it costs where there is one.`,
      '### Endpoints and origins',
      'Microseconds a call, one after the other through a transport that answers at once, to so many endpoints of one origin, or so many origins, in turns: middle of the rounds, and the quarters beside it. What a page keeps of them is bounded, to 200 entries in each table.',
      '![Cost by endpoints and origins](results/growth-places.svg)',
      ...browsers.flatMap(([browser, { times }]) => [costs(browser, times, PLACES), said(browser, dearer(times, PLACES))]),
      'KB that the page has more after the first so many were called, all heaps and the wasm together.',
      '![Memory by endpoints and origins](results/growth-memory.svg)',
      ...browsers.flatMap(([browser, { held }]) => [
        table(['', ...COUNTS.map(number)], Object.entries({ [CONTROL]: 'fetch', ...PLACES }).map(([line, title]) => [`${browser}, ${title}`, ...more(held, line).map((bytes) => number(Math.round(bytes / KB)))])),
        `${said(browser, unbounded(held))} Bounded is at most ${BOUNDED} bytes for each of the last ${number(LAST)}; an entry that is kept takes 2,000.`,
      ]),
      '### Calls under way',
      'Microseconds a call with so many under way, whose answers come at once when all have been sent.',
      '![Cost by calls under way](results/growth-calls.svg)',
      ...browsers.flatMap(([browser, { times }]) => [costs(browser, times, CALLS), said(browser, dearer(times, CALLS))]),
      'Bytes for each call under way, all heaps and the wasm together. The wasm keeps its memory afterwards, for the next calls.',
      table(
        ['', ...browsers.flatMap(([browser]) => MANY.map((count) => `${browser}, ${number(count)}`))],
        Object.entries(CALLS).map(([line, title]) => [title, ...browsers.flatMap(([, { held }]) => eachOf(held, line).map((bytes) => number(Math.round(bytes))))]),
      ),
    ].join('\n\n'),
    bars: browsers.flatMap(([browser, of]) => barsOf(browser, of)),
    plots: {
      'growth-places.svg': plot('Cost of a call by endpoints and origins', 'times the cost at 1', PLACES, ratio),
      'growth-memory.svg': plot('Memory by endpoints and origins', 'KB', PLACES, ({ held }, line) => more(held, line).map((bytes) => bytes / KB)),
      'growth-calls.svg': plot('Cost of a call by calls under way', 'µs', CALLS, ({ times }, line) => COUNTS.map((count) => quarters(times[key(line, count)]).middle)),
    },
  };
}

const number = (value) => value.toLocaleString('en');
const relative = (times, line, count) => ratios(times[key(line, count)], times[key(line, COUNTS[0])]);
/** Bytes more than before, at each count. */
const more = (held, line) => held[line].slice(1).map((bytes) => bytes - held[line][0]);

/** Bytes for each call under way; of a few there is too little to be told from what else a page does. */
const MANY = COUNTS.slice(3);
const eachOf = (held, line) => MANY.map((count) => more(held, line)[COUNTS.indexOf(count)] / count);

const costs = (browser, times, lines) =>
  table(
    ['', ...COUNTS.map(number), 'ratio'],
    Object.entries(lines).map(([line, title]) => [
      `${browser}, ${title}`,
      ...COUNTS.map((count) => spread(quarters(times[key(line, count)]))),
      spread(quarters(relative(times, line, COUNTS.at(-1)))),
    ]),
  );

/** Which cost more than logarithmically: where even the low end of the middle's interval is above the limit. */
const dearer = (times, lines) =>
  Object.entries(lines).flatMap(([line, title]) => {
    const counts = COUNTS.filter((count) => medianInterval(relative(times, line, count)).low > limit(count));
    return counts.length > 0 ? [`${title}, at ${counts.map(number).join(' and ')}`] : [];
  });

/** Which take more and more memory. */
function unbounded(held) {
  const later = (line) => held[line].at(-1) - held[line].at(-2);
  return Object.keys(PLACES).filter((line) => later(line) - later(CONTROL) > BOUNDED * LAST).map((line) => PLACES[line]);
}

const said = (browser, over) => `${browser}: ${over.length === 0 ? 'met' : `**not met** by ${over.join('; ')}`}.`;

function barsOf(browser, { times, held }) {
  const bar = (what, wanted, over) => (
    { bar: '8. Growth', what: `${what}, ${browser}`, wanted, found: over.length === 0 ? 'so' : `not ${over.join('; ')}`, met: over.length === 0 }
  );
  const cheap = 'flat or logarithmic up to 10,000';
  return [
    bar('cost of a call by endpoints and origins', cheap, dearer(times, PLACES)),
    bar('cost of a call by calls under way', cheap, dearer(times, CALLS)),
    bar('memory by endpoints and origins', 'bounded', unbounded(held)),
  ];
}
