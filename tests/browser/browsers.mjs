// Both browsers, driven from Node, and the lab server that serves them the repository. cargo xtask sets the STEADFETCH_…
// variables.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
  firefox({ exactClock = false } = {}) {
    const options = new firefox.Options().setBinary(setting('FIREFOX')).addArguments('-headless');
    options.setPreference('dom.testing.testutils.enabled', true); // TestUtils.gc()
    if (exactClock) options.setPreference('privacy.reduceTimerPrecision', false); // else it counts whole milliseconds
    const driver = new firefox.ServiceBuilder(setting('GECKODRIVER'));
    return new Builder().forBrowser('firefox').setFirefoxOptions(options).setFirefoxService(driver).build();
  },
};

/** Starts the lab server and waits for the line with its address. */
export async function startLab() {
  const server = spawn(setting('LAB'), ['--root', ROOT, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address] = /^listening on (http:\/\/[^\s/]+)/.exec(line) || [];
    if (address) return { address, stop: () => server.kill() };
  }
  throw new Error('the lab server ended without naming its address');
}
