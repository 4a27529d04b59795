// The package in Node, through `import` and `require`, and in the two test runners of web parts with jsdom.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLab } from '../../lab/start.mjs';
import { scopesAt } from '../../lab/scopes.mjs';
import { major, nodeOf } from './installed.mjs';
import { ASK, READ, STEPS } from './pages.mjs';
import { run, step } from './run.mjs';

const VERSIONS = [20, 22];
const THROUGH = { 'import.mjs': '`import`', 'require.cjs': '`require`' };

const runners = (consumers) => [
  { name: `Jest ${major('jest', 'jest')} with jsdom`, folder: 'jest', command: [nodeOf(consumers, 20), join(consumers, 'node_modules/jest/bin/jest.js')] },
  { name: `Vitest ${major('vitest', 'vitest')} with jsdom`, folder: 'vitest', command: [nodeOf(consumers, 22), join(consumers, 'node_modules/vitest/vitest.mjs'), 'run'] },
];

/** A row for each script in each Node, and for each test runner. */
export async function rowsInNode(consumers, wanted) {
  const rows = [];
  for (const version of VERSIONS.filter((version) => wanted(`Node ${version}`))) {
    for (const [script, how] of Object.entries(THROUGH)) {
      copyFileSync(fileURLToPath(new URL(`../in_node/${script}`, import.meta.url)), join(consumers, script));
      const command = [nodeOf(consumers, version), script];
      rows.push(await step(`Node ${version}`, how, async () => (await run(command, { cwd: consumers }), 'runs on wasm')));
    }
  }
  const lab = await startLab();
  const scope = scopesAt(lab.address);
  try {
    for (const { name, folder, command } of runners(consumers).filter(({ name }) => wanted(name))) {
      rows.push(await step(name, 'its test', async () => {
        const server = await scope(STEPS);
        await run(command, { cwd: join(consumers, folder), env: { READ: server.base(READ), ASK: server.base(ASK) } });
        const arrived = (await server.requests()).length;
        if (arrived !== STEPS.length) throw new Error(`the server saw ${arrived} requests, not ${STEPS.length}`);
        return 'runs on wasm';
      }));
    }
  } finally {
    lab.stop();
  }
  return rows;
}
