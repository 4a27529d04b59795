// The package in the hands of everyone who may install it: `cargo xtask matrix` builds it, packs it and calls this with the
// tarball. Each consumer in consumers/ installs that, is built with the defaults of its tool, loaded in both browsers under four
// policies, and once where no engine can run; Node and the test runners run it, too. Prints a table, and fails when the README's
// does not say the same.
//
//   --write    puts the table into README.md
//   NAME…      only the consumers whose name begins so, as in `vite` or `jest`; the README is then left alone

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { browsers } from '../browser/browsers.mjs';
import { BUNDLERS, bundle, emitted } from './matrix/bundlers.mjs';
import { rowsInNode } from './matrix/in_node.mjs';
import { installed } from './matrix/installed.mjs';
import { rowsOf } from './matrix/pages.mjs';
import { step } from './matrix/run.mjs';
import { forReadme, forTerminal, placed } from './matrix/table.mjs';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
/** The solution for SharePoint, whose tools are another world. */
const SPFX = new URL('spfx.mjs', import.meta.url);

const [tarball, ...args] = process.argv.slice(2);
const names = args.filter((argument) => argument !== '--write');
const wanted = (name) => names.length === 0 || names.some((start) => name.toLowerCase().startsWith(start.toLowerCase()));

async function rowsInBrowsers(consumers) {
  const chosen = BUNDLERS.filter(({ name }) => wanted(name));
  const drivers = {};
  const rows = [];
  try {
    if (chosen.length > 0) for (const [name, start] of Object.entries(browsers)) drivers[name] = await start();
    for (const bundler of chosen) {
      let dist;
      const built = await step(bundler.name, 'build', async () => emitted((dist = await bundle(bundler, consumers))));
      rows.push(built);
      if (built.ok) rows.push(...(await rowsOf(bundler, dist, drivers)));
    }
  } finally {
    for (const driver of Object.values(drivers)) await driver.quit();
  }
  return rows;
}

async function rowsOfSpfx() {
  if (!existsSync(fileURLToPath(SPFX)) || !wanted('SPFx')) return [];
  const { spfxRows } = await import(SPFX);
  return spfxRows({ tarball });
}

const install = await installed(tarball);
const kept = install.tools ? `${install.tools.toFixed(1)} s` : 'kept from an earlier run';
console.log(`installed the consumers' tools: ${kept}; the tarball: ${install.steadfetch.toFixed(1)} s\n`);

const rows = [...(await rowsInBrowsers(install.folder)), ...(await rowsInNode(install.folder, wanted)), ...(await rowsOfSpfx())];
console.log(forTerminal(rows));
if (rows.length === 0) console.error(`there is no consumer whose name begins with ${names.join(' or ')}`);
if (rows.length === 0 || rows.some(({ ok }) => !ok)) process.exitCode = 1;
else if (names.length === 0) {
  const readme = readFileSync(README, 'utf8');
  const measured = placed(readme, forReadme(rows));
  if (args.includes('--write')) writeFileSync(README, measured);
  else if (measured !== readme) {
    console.error('\nREADME.md does not say what was measured: `cargo xtask matrix --write` puts it there');
    process.exitCode = 1;
  }
}
