// Runs one benchmark in Chromium and Firefox and prints what it says: `cargo xtask bench NAME`. A benchmark is a module
// `bench/NAME/page.mjs` whose default export runs in the page and gives lines of text.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, browsers } from '../tests/browser/browsers.mjs';
import { startLab } from '../tests/lab/start.mjs';

const LONGEST_MS = 300_000;

const [bench, ...only] = process.argv.slice(2);
if (!existsSync(join(ROOT, 'bench', bench, 'page.mjs'))) throw new Error(`there is no bench/${bench}/page.mjs`);
const lab = await startLab();
try {
  for (const name of Object.keys(browsers)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const driver = await browsers[name]({ exactClock: true });
    try {
      await driver.manage().setTimeouts({ script: LONGEST_MS });
      await driver.get(`${lab.address}/bench/index.html`);
      const lines = await driver.executeAsyncScript(
        `const done = arguments[arguments.length - 1];
         import('/bench/${bench}/page.mjs').then(({ default: run }) => run()).then(done, (error) => done([\`failed: \${error.stack || error}\`]));`,
      );
      const version = (await driver.getCapabilities()).getBrowserVersion();
      console.log(`\n${name} ${version}`);
      for (const line of lines) console.log(line);
      if (lines.some((line) => line.startsWith('failed: '))) process.exitCode = 1;
    } finally {
      await driver.quit();
    }
  }
} finally {
  lab.stop();
}
