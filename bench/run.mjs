// Runs one bench in Chromium and Firefox and keeps what it found in bench/results/: `cargo xtask bench NAME`. A bench is a
// folder in here:
//   prepare.mjs   if there is one, runs here first; what it gives is given to the other two
//   page.mjs      runs in a page of each browser and gives data
//   report.mjs    makes of `found` (data by browser) and `prepared` a `text` in Markdown, `plots` (SVG texts by file name), and
//                 `bars`: which number was wanted, which was found (results.mjs)

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, browsers } from '../tests/browser/browsers.mjs';
import { startLab } from '../tests/lab/start.mjs';
import { heaps } from './heap.mjs';
import { keep, keepMachine } from './results.mjs';

const LONGEST_MS = 600_000;
/** Waits in the page, see news.mjs: to look again and again would take the page's time. */
const NEXT_NEWS = `
  const [told] = arguments;
  const look = () => (window.news ? told(window.news) : window.addEventListener('news', look, { once: true }));
  look();
`;

const [bench, ...only] = process.argv.slice(2);
const part = async (file) => (await import(`./${bench}/${file}.mjs`)).default;
if (!existsSync(join(ROOT, 'bench', bench, 'page.mjs'))) throw new Error(`there is no bench/${bench}/page.mjs`);

async function runIn(name, lab) {
  const driver = await browsers[name]({ forBench: true });
  try {
    await driver.manage().setTimeouts({ script: LONGEST_MS });
    await heaps[name].prepare(driver);
    await driver.get(`${lab.address}/bench/index.isolated.html?bench=${bench}`);
    for (;;) {
      const { wish, data, failure } = await driver.executeAsyncScript(NEXT_NEWS);
      if (failure) throw new Error(`${name}: ${failure}`);
      if (!wish) return { version: (await driver.getCapabilities()).getBrowserVersion(), data };
      await driver.executeScript('window.answerWish(arguments[0])', await heaps[name].look(driver)); // there is no other wish
    }
  } finally {
    await driver.quit();
  }
}

const prepared = existsSync(join(ROOT, 'bench', bench, 'prepare.mjs')) ? await (await part('prepare'))() : null;
mkdirSync(join(ROOT, 'target/bench'), { recursive: true });
writeFileSync(join(ROOT, `target/bench/${bench}.json`), JSON.stringify(prepared));
const found = {}, versions = {};
const lab = await startLab();
try {
  for (const name of Object.keys(browsers)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const began = Date.now();
    ({ data: found[name], version: versions[name] } = await runIn(name, lab));
    console.log(`${name} ${versions[name]}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
  }
} finally {
  lab.stop();
}
const report = (await part('report'))(found, prepared);
console.log(`\n${report.text}`);
// One browser alone is a look, not a record.
if (only.length === 0) {
  keep(bench, report);
  keepMachine(versions);
}
