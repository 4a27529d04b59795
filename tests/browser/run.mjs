// Runs the suites beside this file in Chromium and Firefox, in a page served by the lab server. `cargo xtask test browser`
// sets the STEADFETCH_… variables; arguments choose suites, browsers and engines by name: `node tests/browser/run.mjs abort firefox wasm`.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { functionsForPages } from '../function/for_pages.mjs';
import { startLab } from '../lab/start.mjs';
import { ROOT, browsers } from './browsers.mjs';
import { perform } from './driver_actions.mjs';

const SILENCE_MS = 180_000; // longer than any single test may take

/** What a browser or an engine cannot show. Its suites are named at each run, so that nothing is left out in silence. */
const LACKING = {
  firefox: { devtools: 'no DevTools protocol to freeze a page or to cut its network' },
  js: {
    leftovers: "it looks into the wasm's memory",
    page_cost: 'its limits are those of the wasm',
  },
};
/** What the package is run as; see engine_here.mjs. */
const ENGINES = ['wasm', 'js'];

/** Follows the page's report, printing each test as it ends, and does what the page asks for. */
async function follow(driver, name) {
  let printed = 0, noted = 0, lastNews = Date.now();
  for (;;) {
    const { tests, errors, notes, running, wish, done } = await driver.executeScript(
      'return window.report || { tests: [], errors: [], notes: [] }',
    );
    if (wish) await perform(driver, wish);
    for (const note of notes.slice(noted)) console.log(`${name} · ${note}`);
    noted = notes.length;
    for (const { title, failure, ms } of tests.slice(printed)) {
      console.log(failure ? `${name} ✗ ${title}\n${failure}` : `${name} ✓ ${title} (${ms} ms)`);
      lastNews = Date.now();
    }
    printed = tests.length;
    if (done) return { tests, errors };
    if (Date.now() - lastNews > SILENCE_MS) {
      throw new Error(`nothing heard from ${name} for ${SILENCE_MS / 1000} s; running: ${running || 'nothing yet'}`);
    }
    await driver.sleep(200);
  }
}

async function runIn(name, engine, lab, functions) {
  const lacking = { ...LACKING[name], ...LACKING[engine] };
  const asked = chosen(suites);
  const able = asked.filter((suite) => !(suite in lacking));
  const where = engine === 'wasm' ? name : `${name} (${engine})`;
  for (const suite of asked) if (suite in lacking) console.log(`${where} does not run ${suite}: ${lacking[suite]}`);
  if (able.length === 0) return true;
  const driver = await browsers[name]();
  const began = Date.now();
  try {
    await driver.get(`${lab.address}/tests/browser/index.html?suites=${able.join()}&functions=${functions.origin}&engine=${engine}`);
    const { tests, errors } = await follow(driver, where);
    for (const error of errors) console.log(`${where} console: ${error}`);
    const failed = tests.filter((test) => test.failure).length;
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(`${where}: ${tests.length - failed} passed, ${failed} failed in ${seconds} s`);
    if (tests.length === 0) console.log(`${where} ran no test`);
    return failed === 0 && tests.length > 0;
  } finally {
    await driver.quit();
  }
}

const SUITE = '.test.mjs';
const files = readdirSync(join(ROOT, 'tests/browser'));
const suites = files.filter((file) => file.endsWith(SUITE)).map((file) => file.slice(0, -SUITE.length));

/** Those that the arguments name, or all. */
function chosen(from) {
  const named = from.filter((name) => process.argv.includes(name, 2));
  return named.length > 0 ? named : from;
}

const unknown = process.argv.slice(2).find((name) => !suites.includes(name) && !(name in browsers) && !ENGINES.includes(name));
if (unknown) throw new Error(`there is no suite, no browser and no engine \`${unknown}\``);
const lab = await startLab();
const functions = await functionsForPages(lab.address);
try {
  for (const name of chosen(Object.keys(browsers))) {
    for (const engine of chosen(ENGINES)) if (!(await runIn(name, engine, lab, functions))) process.exitCode = 1;
  }
} finally {
  functions.stop();
  lab.stop();
}
