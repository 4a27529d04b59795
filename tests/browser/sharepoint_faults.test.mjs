// writeOnce and readAll against the real server, in a real browser. The long run, with ten thousand writes, is in
// tests/node; both play tests/faults.

import { expect } from '/node_modules/chai/index.js';
import * as steadfetch from '/pkg/index.mjs';
import { aftermath, broken, helpersSummary, naively, once, script as ofWrites, summary } from '/tests/faults/writes.mjs';
import { read, script as ofLists } from '/tests/faults/lists.mjs';
import { each } from './each.mjs';
import { lab } from './lab.mjs';
import { note } from './note.mjs';

const WRITES = 150;
const LISTS = 6;

describe('SharePoint in trouble', () => {
  for (const world of [{ seed: 21 }, { seed: 22, stale: true }]) {
    it(`${WRITES} writes${world.stale ? ', with reads that are late' : ''}: no double but by a late apply after a 429 or 503, and no lie`, async () => {
      const played = async (act) => {
        const scope = await lab(ofWrites(world));
        return aftermath(scope, world, await each(WRITES, (call) => act(scope, call)));
      };
      const ours = await played((scope, call) => once(steadfetch, scope, call));
      for (const line of summary(ours)) note(line);
      if (!world.stale) note(helpersSummary(await played(naively)));
      expect(ours.flatMap(broken)).to.deep.equal([]);
    });
  }

  for (const share of [0, 0.02]) {
    it(`${LISTS} lists of 5,000 items, ${100 * share} % of the requests fail: complete or rejected, never short`, async () => {
      const scope = await lab(ofLists(23, share));
      const ends = await each(LISTS, (run) => read(steadfetch, scope, run));
      expect(ends.flatMap(({ wrong }) => wrong)).to.deep.equal([]);
      if (share === 0) expect(ends.map(({ end }) => end)).to.deep.equal(new Array(LISTS).fill('complete'));
    });
  }
});
