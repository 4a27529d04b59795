// What calls leave behind: a hundred thousand of a way, with a full garbage collection after each round of them.

import { listenersOn, timers } from '../../tests/browser/balance.mjs';
import { importSized } from '../../tests/browser/wasm_size.mjs';
import { heap } from '../news.mjs';
import { placesOnOneOrigin } from '../places.mjs';
import { IMPATIENT, ROUNDS, WAYS } from './ways.mjs';

const AT_ONCE = 100;

let sent = 0, throttled = Infinity;

async function stub() {
  if (++sent % throttled === 0) return new Response('{}', { status: 429, headers: { 'retry-after-ms': '1' } });
  return new Response('{}', { headers: { 'content-type': 'application/json' } });
}

export default async function run() {
  const { size, ...steadfetch } = await importSized('/pkg/index.mjs');
  const { signal } = new AbortController();
  const listeners = listenersOn(signal);
  const pending = timers((owner, name, value) => (owner[name] = value));
  globalThis.fetch = stub;
  const found = {};
  for (const [way, { of, one, places = 1, calls, ...more }] of Object.entries(WAYS)) {
    throttled = more.throttled ?? Infinity;
    const send = of === 'fetch' ? stub : steadfetch[of];
    const init = { ...(one && { signal }), ...(more.throttled && IMPATIENT) };
    const addresses = placesOnOneOrigin(places);
    const round = () => callMany(calls, (n) => send(addresses[n % places], init));
    await round(); // it warms up
    const before = { size: size(), listeners: listeners.added, timers: pending.added, sent };
    const heaps = [await heap()];
    for (let n = 0; n < ROUNDS; n++) {
      await round();
      heaps.push(await heap());
    }
    found[way] = {
      heaps,
      wasm: [before.size, size()],
      listeners: { added: listeners.added - before.listeners, open: listeners.open.size },
      timers: { added: pending.added - before.timers, open: pending.open.size },
      sent: sent - before.sent,
    };
  }
  return found;
}

async function callMany(calls, act) {
  for (let n = 0; n < calls; n += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => act(n + at)));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused) throw new Error(`an answer was ${refused.status}`);
  }
}
