// What bench/start found, as tables, and what follows from them.

import { medianInterval, quarters, ratios } from '../statistics.mjs';
import { spread, table } from '../table.mjs';
import { SHIPPED, TIMED, VARIANTS } from './variants.mjs';

const GOAL_MS = 3;
const STEPS = {
  script: 'the script arrives and runs, up to the call',
  decode: 'decode',
  compile: 'compile',
  instantiate: 'instantiate',
  send: 'the rest of the first call, until it sends',
  settle: 'from there to its end',
  start: '**from the call to its promise**',
};

export default function report(found, { rounds, bytes }) {
  const browsers = Object.entries(found);
  const others = VARIANTS.filter(({ name }) => name !== SHIPPED && name !== TIMED);
  const inOrder = VARIANTS.filter(({ name }) => name !== TIMED);
  const ratio = (times, name) => medianInterval(ratios(times[name], times[SHIPPED]));
  return {
    text: [
      '## The start',
      'From the insertion of a script to the end of its first `spFetch`, whose transport answers at once: one small application, minified, to which the same wasm comes in different ways.',
      table(
        ['', ...browsers.flatMap(([browser]) => [`${browser}, ms`, 'ratio'])],
        inOrder.map(({ name, title }) => [
          title,
          ...browsers.flatMap(([, { found: times }]) => [spread(quarters(times[name]), 2), name === SHIPPED ? '1' : spread(ratio(times, name), 2)]),
        ]),
      ),
      `${rounds} rounds in turns: the middle and the quarters beside it; the ratio is that to what is shipped in the same round, with the interval that holds the true middle 19 times in 20. A ratio above 1 is slower than what is shipped.`,
      ...browsers.map(([browser, { found: times }]) => said(browser, others.map(({ name, title }) => ({ title, ...ratio(times, name) })))),
      'Each start is in a new document of the same process, which has started others before. Scripts come from the server on loopback with `no-store`, and each has a text, a name and a wasm that were never there before, so neither the HTTP cache nor a cache of compiled code, in memory or on disk, has anything of it. What a line with less than loopback\'s speed makes of the bytes is not in these times. The `.wasm` file is asked for at the first call, by `compileStreaming`, and takes the way on which calls wait for the js engine.',
      '### Within what is shipped',
      table(
        ['ms', ...browsers.map(([browser]) => browser)],
        Object.entries(STEPS).map(([step, title]) => [title, ...browsers.map(([, { steps }]) => spread(quarters(steps.map((of) => of[step])), 2))]),
      ),
      'Middles of their own, which do not add up. Functions of the wasm are compiled when they are first called, as far as the browser does that.',
      '### Bytes',
      table(['', 'raw', 'gzip -9', 'brotli 11'], inOrder.filter(({ name, delayMs }) => name in bytes && !delayMs && name !== 'again').map(({ name, title }) => [title, ...inAll(bytes[name])])),
    ].join('\n\n'),
    bars: browsers.map(([browser, { steps }]) => {
      const { middle } = quarters(steps.map(({ start }) => start));
      return { bar: '5. Start (goal)', what: `decode to the end of the first call, ${browser}`, wanted: `at most ${GOAL_MS} ms`, found: `${middle.toFixed(1)} ms`, met: middle <= GOAL_MS };
    }),
  };
}

/** Which are slower and which faster, where the interval says so. */
function said(browser, ways) {
  const those = (holds) => ways.filter(holds).map(({ title }) => title).join('; ') || 'none';
  const slower = those(({ low }) => low > 1), faster = those(({ high }) => high < 1);
  return `${browser}: slower than what is shipped: ${slower}. Faster: ${faster}. Not told apart: ${those(({ low, high }) => low <= 1 && high >= 1)}.`;
}

/** Of a variant's files together. */
const inAll = (files) => ['raw', 'gzip', 'brotli'].map((kind) => files.reduce((sum, file) => sum + file[kind], 0).toLocaleString('en'));
