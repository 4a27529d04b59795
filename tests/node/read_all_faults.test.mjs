// readAll against a real server: tests/faults/lists.mjs tells what its pages meet.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { each } from '../browser/each.mjs';
import { read, script } from '../faults/lists.mjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { importFresh } from './fresh_package.mjs';

const AT_ONCE = 8;

const steadfetch = await importFresh();
let server, lab;
before(async () => {
  server = await startLab();
  lab = scopesAt(server.address);
});
after(() => server.stop());

for (const [share, lists] of [[0, 4], [0.02, 24], [0.1, 24]]) {
  test(`${lists} lists of 5,000 items, ${100 * share} % of the requests fail: complete or rejected, never short`, async (t) => {
    const scope = await lab(script(11, share));
    const ends = await each(lists, (run) => read(steadfetch, scope, run), AT_ONCE);
    const complete = ends.filter(({ end }) => end === 'complete').length;
    t.diagnostic(`${complete} complete, ${lists - complete} rejected`);
    assert.deepEqual(ends.flatMap(({ wrong }) => wrong), []);
    if (share < 0.1) assert.ok(complete > lists / 4);
    assert.equal(share === 0, complete === lists, 'faults took part, and only where they should');
  });
}
