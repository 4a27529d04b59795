// Starts the lab server for tests: the program that STEADFETCH_LAB names, as `cargo xtask test` sets it.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Resolves with its address once it listens. It ends with `stop`, and with this process in any case. It also serves the
 *  files below `root`. */
export async function startLab(root = ROOT) {
  const program = process.env.STEADFETCH_LAB;
  if (!program) {
    throw new Error(
      'STEADFETCH_LAB must name the lab server. `cargo xtask test` sets it; by hand: ' +
        '`cargo build -p steadfetch-lab`, then STEADFETCH_LAB=target/debug/steadfetch-lab',
    );
  }
  const server = spawn(program, ['--root', root, '--port', '0', '--until-stdin-closes'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const failed = new Promise((_, reject) => server.once('error', reject));
  const address = await Promise.race([announced(server.stdout), failed]);
  return { address, stop: () => server.kill() };
}

async function announced(output) {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /^listening on (http:\/\/[^\s/]+)/.exec(line) || [];
    if (address) return address;
  }
  throw new Error('the lab server ended without naming its address');
}
