// The built package as a page that just opened would see it: every import is a copy with an engine of its own.

import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';

await fetchOnce();

let copies = 0;

export function importFresh() {
  forgetPage();
  return import(`../../pkg/index.mjs?copy=${++copies}`);
}

/** The same where the js engine cannot be had: its file is missing. `bring()` puts it there. */
export async function importWithoutJs() {
  const folder = new URL(`../../target/node-tests/${process.pid}-${++copies}/`, import.meta.url);
  const copy = (file) => cp(new URL(`../../pkg/${file}`, import.meta.url), new URL(file, folder));
  await copy('index.mjs');
  forgetPage();
  return { ...(await import(new URL('index.mjs', folder))), bring: () => copy('asm-engine.mjs') };
}

/** Nothing is shared with the tests before: neither a gate, nor a budget, nor a circuit. */
export function forgetPage() {
  delete globalThis[Symbol.for('steadfetch.page/1')];
}

/** Replaces members of the global object until the test ends. `undefined` removes them. */
export function withGlobals(test, replacements) {
  for (const [name, value] of Object.entries(replacements)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    if (value === undefined) delete globalThis[name];
    else Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    test.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
}

/** A transport that notes what it was called with and answers 200. */
export function recordingFetch() {
  const calls = [];
  const fetch = async (input, init) => {
    calls.push({ input, init });
    return new Response('ok');
  };
  return { fetch, calls };
}

/** Node's own fetch compiles some wasm when it is first used, at a moment when a test may have taken WebAssembly away. */
async function fetchOnce() {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await (await fetch(`http://127.0.0.1:${server.address().port}`, { headers: { Connection: 'close' } })).text();
  server.close();
}
