// steadfetch beside its peers: a success, 64 of them at once, and one repeat, through a transport that answers at once;
// and successes of the lab server.

import { measure } from '../compare.mjs';
import { againstServer } from './against_server.mjs';
import { fastWaits } from './fast_waits.mjs';
import { instead, refill, sends, stub } from './stub.mjs';

const ROUNDS = 80;
const CALLS = 100;
const AT_ONCE = 64;
const ORIGINS = 40; // a page's budget and circuit are counted by origin

const ADDRESS = 'https://contoso.example/sites/a/items?$top=1';
const ELSEWHERE = Array.from({ length: ORIGINS }, (_, n) => `https://host${n}.example/sites/a/items`);

export default async function run({ adapters }) {
  const peers = await Promise.all(adapters.map(({ file }) => load(file)));
  const restore = instead();
  let found;
  try {
    for (const peer of peers) await check(peer);
    const wholes = peers.filter(({ only }) => !only);
    found = { success: await successes(wholes), atOnce: await atOnce(wholes), repeat: await repeats(peers) };
  } finally {
    restore();
  }
  const [sp, ai] = ['spFetch', 'aiFetch'].map((name) => peers.find((peer) => peer.name === name).call);
  return { peers: peers.map(({ call, forget, ...told }) => told), ...found, ...(await againstServer(sp, ai)) };
}

async function load(file) {
  const { peer, make, forget = () => {} } = await import(`/target/bench/peers/${file}.mjs`);
  return { file, ...peer, call: make(stub), forget };
}

const ways = (peers, act) => Object.fromEntries(peers.map((peer) => [peer.name, act(peer)]));

/** A number would say nothing if a peer did not do what it is compared in. */
async function check({ name, gives, repeats, fails = 502, jsonErrors, call, forget }) {
  const right = (answer) => (gives === 'JSON' ? 'choices' in answer || Array.isArray(answer) : answer instanceof Response && answer.status === 200);
  refill([200]);
  if (!right(await call(ADDRESS)) || sends() !== 1) throw new Error(`${name}: no success`);
  if (!repeats) return;
  forget();
  refill([fails, 200], { jsonErrors });
  const restore = fastWaits();
  try {
    if (!right(await call(ADDRESS)) || sends() !== 2) throw new Error(`${name}: no repeat`);
  } finally {
    restore();
  }
}

/** One after the other. */
function successes(peers) {
  return measure({
    ways: ways(peers, ({ call }) => async () => {
      for (let n = 0; n < CALLS; n++) await call(ADDRESS);
    }),
    prepare: () => refill(new Array(CALLS).fill(200)),
    count: CALLS,
    rounds: ROUNDS,
  });
}

function atOnce(peers) {
  return measure({
    ways: ways(peers, ({ call }) => () => Promise.all(Array.from({ length: AT_ONCE }, () => call(ADDRESS)))),
    prepare: () => refill(new Array(AT_ONCE).fill(200)),
    count: AT_ONCE,
    rounds: ROUNDS,
  });
}

/** A failure and a success each; where there is no repeat, two sends and the answer to the second. */
async function repeats(peers) {
  const restore = fastWaits();
  try {
    return await measure({
      ways: ways(peers, ({ call, repeats }) => async () => {
        for (const address of ELSEWHERE) {
          if (!repeats) await stub(address);
          await call(address);
        }
      }),
      prepare(_, name) {
        const { repeats, fails = 502, jsonErrors, forget } = peers.find((peer) => peer.name === name);
        forget();
        refill(ELSEWHERE.flatMap(() => [repeats ? fails : 200, 200]), { jsonErrors });
      },
      count: ORIGINS,
      rounds: ROUNDS,
    });
  } finally {
    restore();
  }
}
