// Nothing answers any more: the repeats that reach the server, or would have, stay within what is polite. Ten minutes of
// virtual time with real requests, counted at the server.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, engine, getCallInfo, spFetch } from '/pkg/index.mjs';
import { pass, virtualTime } from './clocks.mjs';
import { ENGINE } from './engine_here.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { note } from './note.mjs';
import { Transport } from './transport.mjs';

const MINUTES = 10;
const MINUTE = 60_000;

/** The bucket starts with 10 repeats; each request adds a tenth of one, each minute two. */
const allowed = (calls, minutes) => 10 + 0.1 * calls + 2 * minutes;

/** A text, not JSON: there is nothing in it to look into while the clock is moved. */
const OUTAGES = {
  'every answer is 503': { status: 503, body: 'down' },
  'every connection is reset': { drop: 'rst-mid-headers' },
};
const RATES = { '1 request a second': 60, '3 requests a minute': 3 };
const ASK = { method: 'POST', body: '{}' };
const KINDS = {
  spFetch: [spFetch, ITEMS, {}],
  'aiFetch without a circuit': [aiFetch, MODEL, { ...ASK, circuit: false }],
  aiFetch: [aiFetch, MODEL, ASK],
};

for (const [outage, step] of Object.entries(OUTAGES)) {
  for (const [rate, perMinute] of Object.entries(RATES)) {
    for (const [kind, [send, path, options]] of Object.entries(KINDS)) {
      it(`${kind}, ${rate}, ${outage}: repeats stay within the budget`, async () => {
        const server = await lab({ steps: [step], then: 'repeat' });
        const clock = virtualTime();
        const transport = new Transport();
        const calls = [];
        const call = () => {
          const call = send(server.here(path), { ...options, fetch: transport.fetch });
          calls.push(call.catch((error) => error));
        };
        for (let n = 0; n < MINUTES * perMinute; n++) {
          call();
          await pass(clock, MINUTE / perMinute, transport);
        }
        await pass(clock, 5 * MINUTE, transport); // the last ones come to their end
        const infos = (await Promise.all(calls)).map(getCallInfo);
        const firsts = infos.filter(({ attempts }) => attempts.length > 0).length;
        const { seen } = await server.account();
        const repeats = seen - firsts;
        note(`${kind}, ${rate}, ${outage}: ${calls.length} calls, ${seen} requests, ${repeats} repeats of ${allowed(firsts, MINUTES).toFixed(1)} allowed`);
        expect(repeats).to.be.at.most(allowed(firsts, MINUTES));
        // What is polite is used, too, unless the circuit spares the server even that.
        if (kind === 'aiFetch') expect(seen).to.be.below(1.1 * calls.length);
        else expect(repeats).to.be.at.least(Math.min(allowed(firsts, MINUTES) - 2, calls.length));
        expect(engine()).to.equal(ENGINE);
      });
    }
  }
}
