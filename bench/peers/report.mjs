// What bench/peers found, as tables and a plot.

import { bars } from '../bars.mjs';
import { differences, medianInterval, quarters, ratios } from '../statistics.mjs';
import { spread, table } from '../table.mjs';

const [BARE, CONTROL, BARE_JSON] = ['fetch', 'fetch again (A/A)', 'fetch and json()'];
const BARE_POST = 'fetch, a POST';
const PLOT = 'peers-success.svg';
const OURS = 'steadfetch ';

// What was wanted.
const MOST_BYTES = 24_000;
const SUCCESS_MICROS = { chromium: 10, firefox: 20 };
const REPEAT_MICROS = 20;
const PAIR_MS = 0.1;
const LEAST_SHARE = 0.4;

export default function report(found, { adapters, sets }) {
  const browsers = Object.keys(found);
  const [{ peers }] = Object.values(found);
  const told = peers.map((peer) => ({ ...peer, ...adapters.find(({ file }) => file === peer.file) }));
  const inAll = (browser, which) =>
    told.filter(({ name }) => name in found[browser][which]).map((peer) => ({ ...peer, ...added(found[browser][which], peer) }));
  const success = Object.fromEntries(browsers.map((browser) => [browser, inAll(browser, 'success')]));
  return {
    text: [
      '## Beside its peers',
      compared(told.filter(({ only, packages }) => !only && packages.length > 0)),
      'Each with the repeats it comes with, and in the same run: plain `fetch`, the same again as control (A/A), `fetch` with `json()`, and a helper written by hand.',
      '### Bytes',
      bytes(told, sets),
      '### Success',
      'Microseconds a call takes longer than plain `fetch` through a transport that answers at once: middle of the rounds, and the quarters beside it; the ratio is that of the whole times. Peers that give parsed JSON are compared with `fetch` and `json()`.',
      `![Microseconds added to a success](results/${PLOT})`,
      times(success),
      '### 64 at once, the same transport',
      times(Object.fromEntries(browsers.map((browser) => [browser, inAll(browser, 'atOnce')]))),
      '### One repeat',
      'Microseconds beyond two plain fetches, for a call whose first answer is a failure and whose second is a success (`spFetch` repeats only what was throttled, after a second at least; its path is that of `aiFetch`). Timers of less than a second pass without time.',
      times(Object.fromEntries(browsers.map((browser) => [browser, inAll(browser, 'repeat').filter(({ repeats, name }) => repeats || name === CONTROL)]))),
      '### The lab server, on loopback',
      server(found),
    ].join('\n\n'),
    plots: { [PLOT]: plot(success) },
    bars: [...sizeBars(sets), ...timeBars(found, inAll), ...serverBars(found)],
  };
}

/** Of the rounds, those of the plain way taken off, and over them. */
function added(times, { name, gives }) {
  const base = times[gives === 'JSON' && name !== BARE_JSON ? BARE_JSON : BARE];
  return { more: quarters(differences(times[name], base)), ratio: quarters(ratios(times[name], base)) };
}

const compared = (peers) =>
  table(
    ['peer', 'packages', 'gives', 'not as it comes'],
    peers.map(({ name, packages, gives, changed, fails }) => [
      name,
      packages.join(', '),
      gives,
      [changed, fails && `repeats no 502, so it is given a ${fails}`].filter(Boolean).join('; '),
    ]),
    { left: ['packages', 'gives', 'not as it comes'] },
  );

function bytes(peers, sets) {
  const bare = peers.find(({ name }) => name === BARE);
  const rows = [...sets, ...peers.filter(({ packages }) => packages.length > 0 && !packages[0].startsWith(OURS))];
  const number = (bytes) => bytes.toLocaleString('en');
  const words = ({ name, packages }) => name ?? packages.map((named) => named.slice(0, named.lastIndexOf(' '))).join(' + ');
  const cells = (row) => [words(row), ...['raw', 'gzip', 'brotli'].map((kind) => number(row[kind]))];
  return [
    `Minified bundles: the very files that are timed below, an adapter of about ${number(bare.raw)} bytes in each. Sets of packages first.`,
    table(['', 'raw', 'gzip -9', 'brotli 11'], rows.sort((a, b) => a.brotli - b.brotli).map(cells)),
  ].join('\n\n');
}

/** Its own bundle, and the set that together does most of the same. */
function sizeBars(sets) {
  const [ours, set] = ['steadfetch', 'ky_cockatiel_and_parsers'].map((name) => sets.find(({ file }) => file === name).brotli);
  const number = (bytes) => `${bytes.toLocaleString('en')} bytes`;
  return [
    { bar: '1. Size', what: 'spFetch and aiFetch, brotli 11', wanted: `at most ${number(MOST_BYTES)}`, found: number(ours), met: ours <= MOST_BYTES },
    { bar: '1. Size', what: 'the same', wanted: 'how far from ky + cockatiel + parsers', found: `${(ours / set).toFixed(1)} times ${number(set)}`, met: ours <= MOST_BYTES },
  ];
}

const OWN = ['spFetch', 'aiFetch'];

function timeBars(found, inAll) {
  const row = (bar, what, browser, goal, micros) => (
    { bar, what: `${what}, ${browser}`, wanted: `at most ${goal} µs more`, found: `${micros.toFixed(1)} µs`, met: micros <= goal }
  );
  return Object.keys(found).flatMap((browser) => {
    const of = (which, name) => inAll(browser, which).find((peer) => peer.name === name).more.middle;
    return [
      ...OWN.map((name) => row('2. Success (goal)', name, browser, SUCCESS_MICROS[browser], of('success', name))),
      row('3. Repeat (goal)', 'aiFetch', browser, REPEAT_MICROS, of('repeat', 'aiFetch')),
    ];
  });
}

function serverBars(found) {
  return Object.entries(found).flatMap(([browser, { pairs, flights }]) => {
    const { low, middle, high } = medianInterval(pairs.spFetch);
    const share = (name, base) => quarters(ratios(flights[name], flights[base])).middle;
    const parts = { spFetch: share('spFetch', BARE), aiFetch: share('aiFetch', BARE_POST) };
    return [
      { bar: '2. Success (goal)', what: `spFetch, ${pairs.spFetch.length.toLocaleString('en')} pairs at the lab server, ${browser}`, wanted: `at most ${PAIR_MS} ms more`, found: `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) ms`, met: middle <= PAIR_MS },
      ...OWN.map((name) => ({ bar: '2. 64 under way', what: `${name} at the lab server, ${browser}`, wanted: `at least ${LEAST_SHARE} of plain fetch`, found: parts[name].toFixed(2), met: parts[name] >= LEAST_SHARE })),
    ];
  });
}

function times(byBrowser) {
  const browsers = Object.entries(byBrowser);
  const [[, peers]] = browsers;
  const order = peers.map((_, at) => at).sort((a, b) => peers[a].more.middle - peers[b].more.middle);
  const rows = order.filter((at) => peers[at].name !== BARE).map((at) => [
    peers[at].name,
    ...browsers.flatMap(([, found]) => [spread(found[at].more), spread(found[at].ratio)]),
  ]);
  return table(['', ...browsers.flatMap(([browser]) => [`${browser}, µs more`, 'ratio'])], rows);
}

function plot(byBrowser) {
  const series = Object.keys(byBrowser);
  const [first] = Object.values(byBrowser);
  const rows = first
    .map(({ name }, at) => ({ name, values: series.map((browser) => byBrowser[browser][at].more.middle) }))
    .filter(({ name }) => name !== BARE && name !== BARE_JSON)
    .sort((a, b) => a.values[0] - b.values[0]);
  return bars({ title: 'Microseconds added to a success', unit: 'µs', series, rows, from: 0.1 });
}

function server(found) {
  const browsers = Object.entries(found);
  const pair = (name, key) => [name, ...browsers.map(([, { pairs }]) => `${pairs[key].length.toLocaleString('en')}: ${spread(medianInterval(pairs[key].map((ms) => ms * 1000)), 0)}`)];
  const rate = ([name, base]) => [name, ...browsers.map(([, { flights }]) => spread(quarters(ratios(flights[name], flights[base])), 2))];
  return [
    'Pairs of requests one after the other, with and without: how many, and microseconds more (middle, and its 95 % interval).',
    table(['', ...browsers.map(([browser]) => browser)], [pair(CONTROL, 'control'), pair('spFetch', 'spFetch')]),
    'Requests a second with 64 under way, as a part of what the same request does with plain `fetch` (middle, and the quarters beside it).',
    table(['', ...browsers.map(([browser]) => browser)], [[CONTROL, BARE], ['spFetch', BARE], ['aiFetch', BARE_POST]].map(rate)),
  ].join('\n\n');
}
