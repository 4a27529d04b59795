// Programs run by the matrix, and what each step of it is told as.

import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';

const LIMIT_MS = 300_000; // the slowest bundler takes a tenth of it

/** Runs to the end and resolves with the seconds that took. A failure rejects with all that was printed. Programs are looked for
 *  in the folders `tools` first. */
export function run([program, ...args], { cwd, env = {}, tools = [] }) {
  const began = performance.now();
  const PATH = [...tools, process.env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    // On Windows npm's programs are scripts of a shell.
    const child = spawn(program, args, {
      cwd, shell: process.platform === 'win32', timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env, PATH },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve((performance.now() - began) / 1000);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}\n${printed}`));
    });
  });
}

/** One row of the matrix. `work` resolves with its detail; a rejection is a failed step. */
export async function step(consumer, name, work) {
  const began = performance.now();
  const row = { consumer, step: name, ok: true, detail: '', seconds: 0 };
  try {
    row.detail = await work();
  } catch (error) {
    row.ok = false;
    row.detail = error.message;
  }
  row.seconds = (performance.now() - began) / 1000;
  return row;
}
