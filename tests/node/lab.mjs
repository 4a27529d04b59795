// The lab server for tests in Node: scopes as in tests/browser/lab.mjs. What may stand in a script, and what the log says,
// is written in www/server/README.md.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How long the log may take to show something. */
const PATIENCE_MS = 20_000;

/** Starts a server that ends with this process; gives the function that opens a scope, and one that ends the server. */
export async function startLab() {
  const program = process.env.STEADFETCH_LAB;
  if (!program) throw new Error('STEADFETCH_LAB is not set; run this with: cargo xtask test node');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const server = spawn(program, ['--root', root, '--port', '0', '--until-stdin-closes'], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address] = /^listening on (http:\/\/[^\s/]+)/.exec(line) || [];
    if (address) return { lab: (script) => openScope(address, script), stop: () => server.kill() };
  }
  throw new Error('the lab server ended without naming its address');
}

let count = 0;

async function openScope(address, script) {
  const name = `node-${++count}`;
  const control = async (method, query = '', body) => {
    const response = await fetch(`${address}/control/${name}${query}`, { method, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { prefix } = await control('PUT', '', script);
  return {
    /** An address of this scope. */
    here: (path) => address + prefix + path,
    /** Everything the server has to tell about it. */
    account: () => control('GET'),
    /** Asks until the condition holds for what is in the lists, and gives the account. */
    async until(condition) {
      const began = performance.now();
      while (!condition(await control('GET', `?items=false&from=${Number.MAX_SAFE_INTEGER}`))) {
        if (performance.now() - began > PATIENCE_MS) throw new Error(`not so: ${condition}`);
      }
      return control('GET');
    },
  };
}
