// From the insertion of the application's script to the end of its first call, each time in a new document.

import { scopesAt } from '../../tests/lab/scopes.mjs';
import { TIMED, VARIANTS, folder, scriptOf, wasmOf } from './variants.mjs';

const lab = scopesAt(location.origin);

export default async function run({ rounds }) {
  const found = Object.fromEntries(VARIANTS.map(({ name }) => [name, []]));
  const steps = [];
  for (let round = 0; round <= rounds; round++) {
    for (const variant of inTurns(round)) {
      const { began, called, sent, ended, steps: inner } = await start(variant, round);
      if (round === 0) continue; // it warms up
      found[variant.name].push(ended - began);
      if (variant.name !== TIMED) continue;
      const { decode, compile, instantiate } = inner;
      const send = sent - called - decode - compile - instantiate;
      steps.push({ script: called - began, ...inner, send, settle: ended - sent, start: ended - called });
    }
  }
  return { found, steps };
}

/** Each is first and last, and behind each of two others, as often as the rest. */
function inTurns(round) {
  const first = round % VARIANTS.length;
  const order = [...VARIANTS.slice(first), ...VARIANTS.slice(0, first)];
  return Math.floor(round / VARIANTS.length) % 2 === 0 ? order : order.reverse();
}

async function start(variant, round) {
  const wasmAddress = variant.inside ? undefined : await addressOf(variant, round);
  const frame = document.createElement('iframe');
  frame.src = '/bench/start/frame.isolated.html';
  await new Promise((loaded) => {
    frame.onload = loaded;
    document.body.append(frame);
  });
  const page = frame.contentWindow;
  if (!page.crossOriginIsolated) throw new Error('the frame is not isolated, so its clock is coarse');
  const script = page.document.createElement('script');
  script.src = `${folder}/${scriptOf(variant, round)}`;
  const outcome = new Promise((ended, failed) => {
    Object.assign(page, { ended, wasmAddress });
    script.onerror = () => failed(new Error(`${script.src} does not load`));
  });
  const began = page.performance.now();
  page.document.head.append(script);
  const told = { ...(await outcome), began };
  frame.remove();
  // To the package, whatever is loaded later is the js engine.
  const engine = variant.inside ? 'wasm' : 'js';
  if (told.status !== 200 || told.engine !== engine) throw new Error(`${variant.name}: ${JSON.stringify(told)}`);
  return told;
}

/** Where this round's file is: on the static server, or behind a script of the lab server that takes its time. */
async function addressOf(variant, round) {
  const file = `${folder}/${wasmOf(variant, round)}`;
  const { delayMs } = variant;
  if (!delayMs) return file;
  const bytes = Array.from(new Uint8Array(await (await fetch(file)).arrayBuffer()));
  const server = await lab({ keepAlive: true, steps: [{ delayMs, headers: { 'Content-Type': 'application/wasm' }, chunks: [bytes] }] });
  return server.here('/api/wasm');
}
