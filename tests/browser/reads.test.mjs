// Reads get through what is short: throttling with a stated wait, and a network failure.

import { expect } from '/node_modules/chai/index.js';
import { createSpFetch, getCallInfo } from '/pkg/index.mjs';
import { ITEMS, lab } from './lab.mjs';
import { each } from './each.mjs';

const CALLS = 1000;
const DEADLINE_MS = 20_000;
const HINT = { 'retry-after-ms': 5 };

describe('reads', () => {
  it(`${CALLS} GETs under 429, 503 and single network failures all succeed within their deadline`, async () => {
    const random = {
      seed: 2,
      share: 0.5,
      maxInARow: 2,
      match: { method: 'GET' },
      faults: [
        { weight: 2, step: { status: 429, headers: HINT } },
        { weight: 2, step: { status: 503, headers: HINT } },
        { maxPerCall: 1, step: { drop: 'rst-mid-headers' } },
      ],
    };
    const server = await lab({ random, lists: { Orders: 3 } });
    const read = createSpFetch({ retryBudget: false, coolDown: false, timeout: DEADLINE_MS, backoff: { baseMs: 10 } });
    const infos = await each(CALLS, async (call) => {
      const response = await read(server.here(`${ITEMS}?call=${call}`));
      expect(response.status).to.equal(200);
      expect((await response.json()).value).to.have.length(3);
      return getCallInfo(response);
    });

    const { seen, requests } = await server.account();
    expect(seen).to.equal(infos.reduce((sum, info) => sum + info.attempts.length, 0));
    expect(Math.max(...infos.map((info) => info.attempts.length))).to.equal(3);
    expect(Math.max(...infos.map((info) => info.totalMs))).to.be.below(DEADLINE_MS);
    for (const fault of [0, 1, 2]) {
      expect(requests.filter(({ by }) => by === `random.faults[${fault}]`).length).to.be.above(100);
    }
  });
});
