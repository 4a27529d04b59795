// Runs the suites beside this file in Chromium and Firefox, in a page served by the lab server. `cargo xtask test browser`
// sets the STEADFETCH_… variables; arguments choose suites and browsers by name: `node tests/browser/run.mjs abort firefox`.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Builder } from 'selenium-webdriver';
import * as chrome from 'selenium-webdriver/chrome.js';
import * as firefox from 'selenium-webdriver/firefox.js';
import { functionsForPages } from '../function/for_pages.mjs';
import { startLab } from '../lab/start.mjs';
import { perform } from './driver_actions.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SILENCE_MS = 180_000; // longer than any single test may take

/** What a browser cannot be made to do. Its suites are named at each run, so that nothing is left out in silence. */
const LACKING = { firefox: { devtools: 'no DevTools protocol to freeze a page or to cut its network' } };

function setting(name) {
  const value = process.env[`STEADFETCH_${name}`];
  if (!value) throw new Error(`STEADFETCH_${name} is not set; run this with: cargo xtask test browser`);
  return value;
}

const browsers = {
  chromium() {
    const { args } = JSON.parse(readFileSync(join(ROOT, 'webdriver.json'), 'utf8'))['goog:chromeOptions'];
    const options = new chrome.Options().setChromeBinaryPath(setting('CHROMIUM'));
    options.addArguments(...args, '--js-flags=--expose-gc');
    const driver = new chrome.ServiceBuilder(setting('CHROMEDRIVER'));
    return new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(driver).build();
  },
  firefox() {
    const options = new firefox.Options().setBinary(setting('FIREFOX')).addArguments('-headless');
    options.setPreference('dom.testing.testutils.enabled', true); // TestUtils.gc()
    const driver = new firefox.ServiceBuilder(setting('GECKODRIVER'));
    return new Builder().forBrowser('firefox').setFirefoxOptions(options).setFirefoxService(driver).build();
  },
};

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

async function runIn(name, lab, functions) {
  const lacking = LACKING[name] || {};
  const asked = chosen(suites);
  const able = asked.filter((suite) => !(suite in lacking));
  for (const suite of asked) if (suite in lacking) console.log(`${name} does not run ${suite}: ${lacking[suite]}`);
  if (able.length === 0) return true;
  const driver = await browsers[name]();
  const began = Date.now();
  try {
    await driver.get(`${lab.address}/tests/browser/index.html?suites=${able.join()}&functions=${functions.origin}`);
    const { tests, errors } = await follow(driver, name);
    for (const error of errors) console.log(`${name} console: ${error}`);
    const failed = tests.filter((test) => test.failure).length;
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(`${name}: ${tests.length - failed} passed, ${failed} failed in ${seconds} s`);
    if (tests.length === 0) console.log(`${name} ran no test`);
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

const unknown = process.argv.slice(2).find((name) => !suites.includes(name) && !(name in browsers));
if (unknown) throw new Error(`there is no suite and no browser \`${unknown}\``);
const lab = await startLab();
const functions = await functionsForPages(lab.address);
try {
  for (const name of chosen(Object.keys(browsers))) {
    if (!(await runIn(name, lab, functions))) process.exitCode = 1;
  }
} finally {
  functions.stop();
  lab.stop();
}
