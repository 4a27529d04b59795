// steadfetch beside its peers: a success, 64 of them at once, and one repeat, through a transport that answers at once;
// and successes of the lab server.

import { measure } from '../compare.mjs';
import { againstServer } from './against_server.mjs';
import { fastWaits } from './fast_waits.mjs';
import { instead, refill, sends, stub } from './stub.mjs';

const ROUNDS = 150;
const AT_ONCE = 64;
/** So much is measured in one piece: shorter than what a busy machine gives a process at once, and long beside the clock's steps. */
const PIECE_MICROS = 1_000;
const [FEWEST, MOST] = [5, 500]; // calls in a piece
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
    const sizes = await pieces(peers);
    found = { success: await successes(wholes, sizes), atOnce: await atOnce(wholes), repeat: await repeats(peers, sizes) };
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

async function oneByOne(call, count) {
  for (let n = 0; n < count; n++) await call(ADDRESS);
}

/** How many calls of each make a piece. */
async function pieces(peers) {
  const sizes = {};
  for (const { name, call } of peers) {
    let micros = Infinity;
    for (let round = 0; round < 10; round++) {
      refill(new Array(50).fill(200));
      const began = performance.now();
      await oneByOne(call, 50);
      micros = Math.min(micros, (performance.now() - began) * 20);
    }
    sizes[name] = Math.round(Math.min(MOST, Math.max(FEWEST, PIECE_MICROS / micros)));
  }
  return sizes;
}

function successes(peers, sizes) {
  return measure({
    ways: ways(peers, ({ name, call }) => () => oneByOne(call, sizes[name])),
    prepare: (_, name) => refill(new Array(sizes[name]).fill(200)),
    count: sizes,
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
async function repeats(peers, sizes) {
  const restore = fastWaits();
  const counts = Object.fromEntries(peers.map(({ name }) => [name, Math.min(ORIGINS, sizes[name])]));
  try {
    return await measure({
      ways: ways(peers, ({ name, call, repeats }) => async () => {
        for (const address of ELSEWHERE.slice(0, counts[name])) {
          if (!repeats) await stub(address);
          await call(address);
        }
      }),
      prepare(_, name) {
        const { repeats, fails = 502, jsonErrors, forget } = peers.find((peer) => peer.name === name);
        forget();
        refill(ELSEWHERE.flatMap(() => [repeats ? fails : 200, 200]), { jsonErrors });
      },
      count: counts,
      rounds: ROUNDS,
    });
  } finally {
    restore();
  }
}
