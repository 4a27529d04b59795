// The one double that writeOnce cannot prevent, and the column that does: a throttled write that is carried out after
// nobody looks for it any more.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { importFresh } from './fresh_package.mjs';

const { readAll, writeOnce } = await importFresh();
let server, lab;
before(async () => {
  server = await startLab();
  lab = scopesAt(server.address);
});
after(() => server.stop());

const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
const POST = { method: 'POST', headers, body: '{"Title":"one order","OrderKey":"k1"}' };

/** The first send is throttled, and carried out right after the second look. Gives the result and the list. */
async function landingTooLate(sharepoint) {
  const rule = { match: { method: 'POST', path: 'send=' }, steps: [{ status: 429 }] };
  const scope = await lab({ rules: [rule], sharepoint });
  const items = scope.here("/sites/a/_api/web/lists/getbytitle('Orders')/items");
  let looks = 0;
  const find = async () => {
    const [found] = await readAll(`${items}?$filter=OrderKey eq 'k1'`, { headers });
    if (++looks === 2) assert.equal((await fetch(items, POST)).status, 201);
    return found;
  };
  const result = await writeOnce(`${items}?send=1`, { ...POST, find, settleMs: 1, coolDown: false });
  return { result, list: await readAll(items, { headers }) };
}

test('without a unique column there are two', async () => {
  const { result, list } = await landingTooLate({});
  assert.deepEqual([result.status, result.sends, list.length], ['written', 2, 2]);
});

test('a unique column refuses the second, and the first is found', async () => {
  const { result, list } = await landingTooLate({ unique: 'OrderKey' });
  assert.deepEqual([result.status, result.sends, list.length], ['already-applied', 2, 1]);
  assert.equal(result.found.OrderKey, 'k1');
});
