// Both browsers, driven from Node. cargo xtask sets the STEADFETCH_… variables.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Builder } from 'selenium-webdriver';
import * as chrome from 'selenium-webdriver/chrome.js';
import * as firefox from 'selenium-webdriver/firefox.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function setting(name) {
  const value = process.env[`STEADFETCH_${name}`];
  if (!value) throw new Error(`STEADFETCH_${name} is not set; run this with cargo xtask`);
  return value;
}

/** Starts one, headless, and gives its driver. */
export const browsers = {
  chromium() {
    const { args } = JSON.parse(readFileSync(join(ROOT, 'webdriver.json'), 'utf8'))['goog:chromeOptions'];
    const options = new chrome.Options().setChromeBinaryPath(setting('CHROMIUM'));
    options.addArguments(...args, '--js-flags=--expose-gc');
    const driver = new chrome.ServiceBuilder(setting('CHROMEDRIVER'));
    return new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(driver).build();
  },
  /** `forBench`: with an exact clock, and for a driver that may look into the browser itself. */
  firefox({ forBench = false } = {}) {
    const options = new firefox.Options().setBinary(setting('FIREFOX')).addArguments('-headless');
    options.setPreference('dom.testing.testutils.enabled', true); // TestUtils.gc()
    const driver = new firefox.ServiceBuilder(setting('GECKODRIVER'));
    if (forBench) {
      options.setPreference('privacy.reduceTimerPrecision', false); // else it counts whole milliseconds
      driver.addArguments('--allow-system-access'); // bench/heap.mjs
    }
    return new Builder().forBrowser('firefox').setFirefoxOptions(options).setFirefoxService(driver).build();
  },
};
