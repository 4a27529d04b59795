// steadfetch in a web part of SPFx 1.23.2: the solution in ./spfx, built by the real tools, loaded in both browsers. `cargo xtask test
// spfx` runs this, and sets the STEADFETCH_… variables; `--record` writes bench/spfx_size.txt and needs none of them.

import { pathToFileURL } from 'node:url';
import { growth, record } from './spfx_steps/growth.mjs';
import { loadEverywhere } from './spfx_steps/loading.mjs';
import { build, installPackage, installTools, sppkg } from './spfx_steps/solution.mjs';

const consumer = 'SPFx 1.23.2';

async function row(step, run) {
  const began = performance.now();
  const ended = (ok, detail = '') => ({ consumer, step, ok, detail, seconds: (performance.now() - began) / 1000 });
  try {
    return ended(true, await run());
  } catch (error) {
    return ended(false, error.message);
  }
}

/**
 * Each step, in order; the first of those that all others need ends it. Rejects where browsers or lab server are not named.
 *
 * @typedef {{ consumer: string, step: string, ok: boolean, detail: string, seconds: number }} Row
 * @param {{ tarball?: string, told?: (row: Row) => void }} [options] The package, by default `pkg/` as it is packed; and who
 *   hears of each row as it comes, since they take minutes.
 * @returns {Promise<Row[]>}
 */
export async function spfxRows({ tarball, told = () => {} } = {}) {
  const rows = [];
  const take = async (step, run) => {
    rows.push(await row(step, run));
    told(rows.at(-1));
  };
  const needed = [
    ['npm ci', installTools],
    ['npm install steadfetch', () => installPackage(tarball)],
    ['production build', build],
  ];
  for (const [step, run] of needed) {
    await take(step, run);
    if (!rows.at(-1).ok) return rows;
  }
  await take('.sppkg', sppkg);
  await take('growth', growth);
  await loadEverywhere(take);
  return rows;
}

async function recorded() {
  await installTools();
  await installPackage();
  await build();
  return record();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--record')) {
    console.log(await recorded());
  } else {
    const told = ({ step, ok, detail, seconds }) => console.log(`${ok ? '✓' : '✗'} ${step} (${seconds.toFixed(1)} s) ${detail}`);
    const rows = await spfxRows({ told });
    if (!rows.every(({ ok }) => ok)) process.exitCode = 1;
  }
}
