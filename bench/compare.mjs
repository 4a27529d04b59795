// Two ways to do the same, measured in turns in the same page, so that what disturbs one disturbs the other.

import { quantile } from './statistics.mjs';

const ROUNDS = 300;
/** The page's own, though what is measured may be given another one. */
const clock = performance.now.bind(performance);

/**
 * `ways`: functions by name, which are given what `prepare(round, name)` made, outside of the measured time; both may give a
 * promise. Gives the microseconds for each of `count` pieces (a number, or one for each name), round by round.
 */
export async function measure({ ways, prepare, count, rounds = ROUNDS }) {
  const warmUp = rounds / 5;
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const work = await prepare(round, name);
      const began = clock();
      const underWay = ways[name](work);
      if (underWay) await underWay;
      const took = clock() - began;
      if (round >= warmUp) times[name].push((took * 1000) / (count[name] ?? count));
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return times;
}

/** The same, and for all ways after the first the ratio of times round by round: middle, and tenth to ninetieth part. */
export async function compare(what) {
  const times = await measure(what);
  const [first] = Object.values(times);
  return Object.entries(times).map(([name, own]) => {
    const ratios = own.map((time, round) => time / first[round]);
    return { name, micros: quantile(own, 0.5), ratio: quantile(ratios, 0.5), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
  });
}
