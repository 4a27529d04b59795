// The same with a real server behind it, on loopback: pairs of requests, one with and one without, and 64 at once.

import { scopesAt } from '../../tests/lab/scopes.mjs';

const PAIRS = 3_000;
const CONTROLS = 1_000;
const AT_ONCE = 64;
const REQUESTS = 640;
const ROUNDS = 10;

const lab = scopesAt(location.origin);
const bare = (address, init) => fetch(address, init);

export async function againstServer(sp, ai) {
  const server = await lab({ keepAlive: true, log: { limit: 1 }, lists: { Orders: 1 } });
  const address = server.here("/sites/a/_api/web/lists/getbytitle('Orders')/items");
  const model = server.here('/api/ask');
  const list = (send) => () => send(address);
  await pairs(sp, 50, address);
  return {
    pairs: { spFetch: await pairs(sp, PAIRS, address), control: await pairs(bare, CONTROLS, address) },
    flights: await flights({
      fetch: list(bare),
      'fetch again (A/A)': list(bare),
      spFetch: list(sp),
      'fetch, a POST': () => bare(model, { method: 'POST', body: '{}' }),
      aiFetch: () => ai(model),
    }),
  };
}

/** Milliseconds that `send` took longer than plain fetch right beside it. */
async function pairs(send, count, address) {
  const took = async (way) => {
    const began = performance.now();
    await (await way(address)).text();
    return performance.now() - began;
  };
  const more = [];
  for (let n = 0; n < count; n++) {
    // In turns first and second.
    const first = n % 2 === 0 ? await took(send) : undefined;
    const plain = await took(bare);
    more.push((first ?? (await took(send))) - plain);
  }
  return more;
}

/** Requests a second with 64 under way, round by round. */
async function flights(ways) {
  const rates = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++) {
    const order = Object.entries(ways);
    if (round % 2 !== 0) order.reverse();
    for (const [name, send] of order) {
      let left = REQUESTS;
      const one = async () => {
        while (left-- > 0) await (await send()).text();
      };
      const began = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      const rate = (REQUESTS * 1000) / (performance.now() - began);
      if (round >= 0) rates[name].push(rate); // the first warms up
    }
  }
  return rates;
}
