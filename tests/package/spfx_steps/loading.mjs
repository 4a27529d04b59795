// The built web parts in both browsers, as SharePoint loads them, under the policies that SharePoint's pages may have. They call
// the lab server, which is busy at first.

import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { browsers } from '../../browser/browsers.mjs';
import { POLICIES } from '../../browser/policies.mjs';
import { scopesAt } from '../../lab/scopes.mjs';
import { startLab } from '../../lab/start.mjs';
import { FOLDER, engineChunk, inSolution, webParts } from './solution.mjs';

const LONGEST_MS = 60_000;
const WITHOUT_CHUNK = 'without-chunk';

const titles = ['Pens', 'Paper', 'Ink'];
const BUSY = [
  { match: { method: 'GET' }, steps: [{ status: 429, headers: { 'retry-after-ms': 1 } }] },
  { match: { method: 'POST' }, steps: [{ status: 503 }] },
];
const REPEATED = ['GET 429', 'GET 200', 'POST 503', 'POST 200'];
const SENT_ONCE = ['GET 200', 'POST 200'];

/** What each web part meets, and what must come of it. */
const cases = [
  ...Object.entries(POLICIES).map(([name, [policy, runsOn]]) => ({ step: `under ${name}`, policy, runsOn })),
  { step: 'no WebAssembly, and no chunk', runsOn: 'none', webAssembly: false, assets: WITHOUT_CHUNK },
  { step: 'by SPHttpClient', part: 'orders-by-client', runsOn: 'wasm', client: 'SPHttpClient v1' },
  { step: 'with every export', part: 'every-export', runsOn: 'wasm' },
  { step: 'with plain fetch', part: 'plain-fetch', runsOn: 'fetch' },
];

/** Hands each to `take(step, run)`. */
export async function loadEverywhere(take) {
  withoutChunk();
  const server = await startLab();
  try {
    for (const name of Object.keys(browsers)) {
      const driver = await browsers[name]();
      try {
        await driver.manage().setTimeouts({ script: LONGEST_MS });
        for (const one of cases) await take(`${name}: ${one.step}`, () => load(driver, server.address, one));
      } finally {
        await driver.quit();
      }
    }
  } finally {
    server.stop();
  }
}

/** The same files, but for the js engine's: a deployment that lost it. */
function withoutChunk() {
  const folder = inSolution(`release/${WITHOUT_CHUNK}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(inSolution('release/assets'), folder, { recursive: true });
  rmSync(`${folder}/${engineChunk()}`);
}

async function load(driver, address, { policy = '', part = 'orders', assets = 'assets', runsOn, webAssembly, client }) {
  const hasRules = runsOn === 'wasm' || runsOn === 'js';
  const lists = { Orders: titles.map((Title) => ({ Title })) };
  const scope = await scopesAt(address)({ lists, rules: hasRules ? BUSY : [], model: { answer: { answer: 'All is well.' } } });
  const { manifest, entry } = webParts()[part];

  await driver.get(`${address}/tests/browser/policy.html?policy=${encodeURIComponent(policy)}`);
  const seen = await driver.executeAsyncScript(
    `const [options, done] = arguments;
     load('/tests/package/spfx_steps/sharepoint_page.mjs').then(({ show }) => show(options)).then(done, (error) => done({ failure: String(error) }));`,
    {
      manifest: `${address}/${FOLDER}/${manifest}`,
      assets: `${address}/${FOLDER}/release/${assets}/`,
      properties: { listUrl: scope.here("/sites/a/_api/web/lists/getbytitle('Orders')/items"), modelUrl: scope.elsewhere('/api/ask') },
      webAssembly,
    },
  );
  const requests = await scope.requests();
  const asksForChunk = runsOn === 'js' || runsOn === 'none';
  assert.deepEqual(
    {
      ...seen,
      files: [...new Set(seen.files)], // a chunk that failed is asked for again by the next call
      told: seen.told?.length,
      requests: requests.map(({ method, status }) => `${method} ${status}`),
    },
    {
      titles,
      paragraphs: ['All is well.'],
      runsOn,
      // The chunk comes from where the web part's own file is.
      files: asksForChunk ? [entry, engineChunk()] : [entry],
      refused: runsOn === 'js' ? ['wasm-eval'] : [],
      told: runsOn === 'none' ? 1 : 0,
      requests: hasRules ? REPEATED : SENT_ONCE,
    },
  );
  if (client) assert.equal(requests[0].headers['x-client'], client);
  return [`runs on ${runsOn}`, ...new Set(seen.files), ...seen.told].join(', ');
}
