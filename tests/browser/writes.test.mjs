// A throttled SharePoint write may already have been applied, so it is sent once, whatever comes back. Proven on the
// lists of the server, which really grow.

import { expect } from '/node_modules/chai/index.js';
import { getCallInfo, spFetch } from '/pkg/index.mjs';
import { ITEMS, lab } from './lab.mjs';
import { each } from './each.mjs';

const CALLS = 1000;

/** Refusals, half of them of writes that were carried out all the same, and answers that were lost on the way. */
const FAULTS = [
  { step: { status: 429, headers: { 'retry-after-ms': 1 } } },
  { step: { status: 429, headers: { 'retry-after-ms': 1 }, apply: true } },
  { step: { status: 503 } },
  { step: { status: 503, apply: true } },
  { step: { status: 504 } },
  { step: { status: 504, apply: true } },
  { weight: 3, step: { drop: 'rst-mid-headers', apply: true } },
  { weight: 3, step: { drop: 'rst-mid-body', apply: true } },
];

describe('writes', () => {
  it(`${CALLS} POSTs, a third of them refused or cut off after being applied: never two items for one call`, async () => {
    const random = { seed: 2, share: 1 / 3, match: { method: 'POST' }, faults: FAULTS };
    const server = await lab({ random, log: { bodyBytes: 100 } });
    const attempts = await each(CALLS, async (call) => {
      const request = { method: 'POST', body: JSON.stringify({ Title: `${call}` }), retryBudget: false, coolDown: false };
      const of = await spFetch(server.here(`${ITEMS}?call=${call}`), request).catch((error) => error);
      return getCallInfo(of).attempts.length;
    });
    expect(attempts).to.deep.equal(new Array(CALLS).fill(1));

    const { seen, requests, lists } = await server.account();
    expect(seen).to.equal(CALLS);
    const applied = requests.filter(({ by }) => by === 'normal' || FAULTS[faultOf(by)].step.apply);
    const titles = lists.Orders.items.map((item) => item.Title);
    expect(titles.sort()).to.deep.equal(applied.map(({ body }) => JSON.parse(body).Title).sort());
    expect(new Set(titles).size).to.equal(titles.length);
    // Each of the faults took part.
    const met = requests.filter(({ by }) => by !== 'normal').map(({ by }) => faultOf(by));
    expect(met.length).to.be.within(CALLS / 4, CALLS / 2);
    expect(new Set(met).size).to.equal(FAULTS.length);
  });

  for (const [name, method, headers] of [
    ['POST', 'POST'],
    ['PATCH', 'PATCH'],
    ['patch', 'patch'],
    ['PUT', 'PUT'],
    ['MERGE', 'MERGE'],
    ['DELETE', 'DELETE'],
    ['POST as MERGE', 'POST', { 'X-HTTP-Method': 'MERGE' }],
    ['POST that claims to be a GET', 'POST', { 'X-HTTP-Method': 'GET' }],
    ['GET that another method overrides', 'GET', { 'X-HTTP-Method-Override': 'DELETE' }],
  ]) {
    it(`${name} is sent once, after every failure`, async () => {
      for (const { step } of FAULTS) {
        const server = await lab({ steps: [step], lists: { Orders: 1 } });
        const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
        const init = { method, headers, body, backoff: { baseMs: 1 }, shouldRetry: () => true };
        await spFetch(server.here(`${ITEMS}(1)`), init).catch((error) => error);
        expect(await server.requests(), JSON.stringify(step)).to.have.length(1);
      }
    });
  }

  it('a write that was refused for its digest is sent once more, with a fresh one', async () => {
    const server = await lab({ sharepoint: { digestMs: 60_000 } });
    const digests = ['0xOLD,lab', async () => (await contextInfo(server)).FormDigestValue];
    const digest = async () => (typeof digests[0] === 'string' ? digests.shift() : digests[0]());
    const init = { method: 'POST', body: '{"Title":"once"}', digest, headers: { Accept: 'application/json' } };
    const response = await spFetch(server.here(ITEMS), init);
    expect(response.status).to.equal(201);
    const { requests, lists } = await server.account();
    const sent = requests.filter(({ path }) => path.endsWith('/items'));
    expect(sent.map(({ status }) => status)).to.deep.equal([403, 201]);
    expect(sent[0].headers['x-requestdigest']).to.equal('0xOLD,lab');
    expect(lists.Orders.count).to.equal(1);
  });

  it('a write whose digest is refused again is final, and its answer unread', async () => {
    const server = await lab({ sharepoint: { digestMs: 60_000 } });
    const response = await spFetch(server.here(ITEMS), { method: 'POST', body: '{}', digest: async () => '0xOLD,lab' });
    expect(response.status).to.equal(403);
    expect(await response.text()).to.include('security validation');
    expect(await server.requests()).to.have.length(2);
  });
});

async function contextInfo(server) {
  return (await fetch(server.here('/sites/a/_api/contextinfo'), { method: 'POST' })).json();
}

/** `random.faults[3]` → 3 */
const faultOf = (by) => Number(by.match(/^random\.faults\[(\d)\]$/)[1]);
