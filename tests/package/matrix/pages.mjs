// A bundle loaded in a browser, under each policy, and once where no engine can run at all: WebAssembly is missing and the
// chunk of the js engine is not there. Each page makes one call of spFetch, answered 429 at first, and one of aiFetch.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { POLICIES } from '../../browser/policies.mjs';
import { startLab } from '../../lab/start.mjs';
import { scopesAt } from '../../lab/scopes.mjs';
import { step } from './run.mjs';

const PATIENCE_MS = 30_000;
export const READ = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
export const ASK = '/api/ask';
/** What the server answers. */
export const STEPS = [{ status: 429, headers: { 'retry-after-ms': 1 } }, {}, {}];

export const NO_ENGINE = 'no WebAssembly, and no chunk';
/** A bundler that makes one file leaves no chunk to be missed. */
const IN_THE_BUNDLE = 'js engine in the bundle';
export const CONDITIONS = [
  ...Object.entries(POLICIES).map(([name, [policy, engine]]) => ({ name: `under ${name}`, policy, engine })),
  { name: NO_ENGINE, policy: '', engine: 'none' },
];
const [ALLOWED, REFUSED] = ['wasm', 'js'].map((runsOn) => CONDITIONS.find(({ engine }) => engine === runsOn).name);
/** What a page must come to, by its engine. */
const EXPECTED = {
  wasm: { statuses: [200, 200], attempts: 2, requests: 3, warnings: 0 },
  js: { statuses: [200, 200], attempts: 2, requests: 3, warnings: 0 },
  none: { statuses: [429, 200], attempts: 0, requests: 2, warnings: 1 },
};

/** Before anything else in the page. */
const WATCH = `window.warned = [];
for (const kind of ['warn', 'error']) {
  const say = console[kind];
  console[kind] = (...words) => { window.warned.push(words.join(' ')); say.apply(console, words); };
}
if (location.search.includes('engine=none')) delete window.WebAssembly;
`;

/**
 * A page for each condition beside the one that the bundler or we made: the same, with a policy that holds for all of it. A
 * script that the bundler wrote into its page (Parcel's list of chunks) is allowed by its hash, as it must be on any site with
 * a strict policy. Gives how many that are.
 */
function addPages(dist) {
  writeFileSync(join(dist, 'watch.js'), WATCH);
  const html = readFileSync(join(dist, 'index.html'), 'utf8').replace(/^<!doctype html>/i, '');
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gis)].map(([, text]) => text);
  const hashes = inline.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('');
  CONDITIONS.forEach(({ name, policy }, n) => {
    const meta = policy && `<meta http-equiv="Content-Security-Policy" content="${policy}${name === REFUSED ? hashes : ''}">`;
    writeFileSync(join(dist, `page-${n}.html`), `<!doctype html>${meta}<script src="watch.js"></script>${html}`);
  });
  return inline.length;
}

/** Serves a bundler's folder, and loads its pages in each of the browsers. Resolves with a row for each page. */
export async function rowsOf({ name: consumer, oneFile }, dist, drivers) {
  const inline = addPages(dist);
  const lab = await startLab(dist);
  const scope = scopesAt(lab.address);
  const rows = [];
  try {
    for (const [browser, driver] of Object.entries(drivers)) {
      const scripts = {}; // that each condition's page loads
      for (const [n, { name, engine }] of CONDITIONS.entries()) {
        rows.push(await step(consumer, `${browser}: ${name}`, async () => {
          const chunk = name === NO_ENGINE ? chunkAmong(scripts, oneFile) : undefined;
          if (chunk === IN_THE_BUNDLE) return chunk;
          const found = await without(chunk && fileOf(dist, chunk), () => load(driver, n, lab, scope));
          compare(found, { engine, ...EXPECTED[engine] });
          scripts[name] = found.scripts;
          return `runs on ${engine}${name === REFUSED && inline > 0 ? ', with the hash of its inline script in the policy' : ''}`;
        }));
      }
    }
  } finally {
    lab.stop();
  }
  return rows;
}

async function load(driver, n, lab, scope) {
  const server = await scope(STEPS);
  const query = new URLSearchParams({ read: server.base(READ), ask: server.base(ASK), engine: CONDITIONS[n].engine });
  await driver.get(`${lab.address}/page-${n}.html?${query}`);
  const outcome = await driver.wait(() => driver.executeScript('return window.outcome'), PATIENCE_MS, 'the page came to no end');
  const seen = await driver.executeScript(`return {
    warned: window.warned,
    scripts: performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((name) => name.endsWith('.js')),
  }`);
  return { ...outcome, ...seen, warnings: seen.warned.length, requests: (await server.requests()).length };
}

/** What is loaded where WebAssembly is refused, and nowhere else. */
function chunkAmong(scripts, oneFile) {
  const [free, refused] = [scripts[ALLOWED], scripts[REFUSED]];
  if (!free || !refused) throw new Error('which chunk holds the js engine is not known, as another page failed');
  const chunks = refused.filter((script) => !free.includes(script));
  if (oneFile && chunks.length === 0) return IN_THE_BUNDLE;
  if (oneFile || chunks.length !== 1) throw new Error(`for the js engine the page loads [${chunks}]`);
  return chunks[0];
}

/** The file that a page's address stands for. */
function fileOf(dist, pathname) {
  const name = readdirSync(dist, { recursive: true }).find((file) => basename(file) === basename(pathname));
  if (!name) throw new Error(`the page loads ${pathname}, which is not in ${dist}`);
  return join(dist, name);
}

/** Does the work while the file is not there. */
async function without(file, work) {
  if (file) renameSync(file, `${file}.hidden`);
  try {
    return await work();
  } finally {
    if (file) renameSync(`${file}.hidden`, file);
  }
}

function compare(found, expected) {
  const differs = Object.keys(expected).filter((key) => String(found[key]) !== String(expected[key]));
  if (differs.length === 0) return;
  const told = differs.map((key) => `${key} is ${found[key]}, not ${expected[key]}`);
  throw new Error([...told, found.error, ...found.warned].filter(Boolean).join('; '));
}
