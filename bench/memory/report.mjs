// What bench/memory found, as tables, and whether it stays within the control.

import { differences, medianInterval, quarters } from '../statistics.mjs';
import { spread, table } from '../table.mjs';
import { CALLS, CONTROLS, FEWER, ROUNDS, WAYS } from './ways.mjs';

/** Bytes a call. Nothing that could be kept of one is smaller. */
const LEAST = 1;
const KINDS = { js: 'JavaScript', native: 'the rest' };
const number = (value) => value.toLocaleString('en');

export default function report(found) {
  const browsers = Object.entries(found);
  const ways = Object.keys(WAYS);
  return {
    text: [
      '## Memory',
      `${number(ROUNDS * CALLS)} calls of a way, ${number(ROUNDS * FEWER)} of those that are throttled or go to 400 endpoints, which is twice what the tables of a page hold; 100 at once, through a transport that answers at once. After every tenth part of them all garbage is collected. The bar: what is left is not more than with plain \`fetch\` through the same transport, the wasm's memory is what it was, and every listener and timer is gone.`,
      'Bytes that the page has more for each call, without what the control has more in the same number of rounds, since looking takes some, too: middle of the rounds, and the quarters beside it. Beside the heap of JavaScript: in Chromium that of the DOM and buffers, in Firefox all that its process has allocated.',
      table(
        ['', ...browsers.flatMap(([browser]) => Object.values(KINDS).map((title) => `${browser}, ${title}`))],
        ways.map((way) => [way, ...browsers.flatMap(([, of]) => Object.keys(KINDS).map((kind) => spread(quarters(growth(of, way, kind)), 1)))]),
      ),
      'Listeners on the signal and timers: how many were set / how many were left in the end. The wasm: KB of its memory, which it had after the first tenth part and has in the end.',
      table(
        ['', ...browsers.flatMap(([browser]) => [`${browser}, listeners`, 'timers', 'wasm'])],
        ways.map((way) => [way, ...browsers.flatMap(([, of]) => [balance(of[way].listeners), balance(of[way].timers), wasm(of[way])])]),
      ),
      ...browsers.map(([browser, of]) => `${browser}: ${judged(of).map(said).join('; ')}.`),
    ].join('\n\n'),
    bars: browsers.flatMap(([browser, of]) => judged(of).map(({ what, over }) => {
      const found = over.length === 0 ? 'so' : `more by ${over.join('; ')}`;
      return { bar: '4. Memory', what: `${what}, ${browser}`, wanted: 'after 100,000 calls as after plain fetch', found, met: over.length === 0 };
    })),
  };
}

/** Bytes that each round has added. */
function rounds(found, way, kind) {
  const sizes = found[way].heaps.map((heap) => heap[kind]);
  return differences(sizes.slice(1), sizes);
}

const control = (found, kind) => CONTROLS.flatMap((way) => rounds(found, way, kind));

/** Bytes a call beyond the control, round by round. */
function growth(found, way, kind) {
  const usual = quarters(control(found, kind)).middle;
  return rounds(found, way, kind).map((bytes) => (bytes - usual) / WAYS[way].calls);
}

const balance = ({ added, open }) => `${number(added)} / ${number(open)}`;
const wasm = ({ wasm: sizes }) => sizes.map(({ memory }) => number(memory / 1024)).join(', ');

/** Which ways are `over` each bar: not met where the interval of the middle lies above the control's, by a byte a call at least. */
function judged(found) {
  const ways = Object.keys(WAYS).filter((way) => !CONTROLS.includes(way));
  const lines = Object.entries(KINDS).map(([kind, title]) => {
    const { high } = medianInterval(control(found, kind));
    const leaks = (way) => medianInterval(rounds(found, way, kind)).low > high + LEAST * WAYS[way].calls;
    return { what: `memory (${title})`, over: ways.filter(leaks) };
  });
  const unbalanced = ways.filter((way) => found[way].listeners.open + found[way].timers.open > 0);
  const grown = ways.filter((way) => new Set(found[way].wasm.map((size) => JSON.stringify(size))).size > 1);
  return [...lines, { what: 'wasm', over: grown }, { what: 'listeners and timers', over: unbalanced }];
}

const said = ({ what, over }) => `${what}: ${over.length === 0 ? 'met' : `**not met** by ${over.join('; ')}`}`;
