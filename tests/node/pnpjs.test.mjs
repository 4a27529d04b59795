// PnPjs as npm has it, with SteadFetch in the place of its sender, against the lab server.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { BrowserFetchWithRetry, Caching, Cancelable, InjectHeaders } from '@pnp/queryable';
import { SPFx, spfi } from '@pnp/sp';
import '@pnp/sp/batching.js';
import '@pnp/sp/items/index.js';
import '@pnp/sp/lists/index.js';
import '@pnp/sp/webs/index.js';
import { getCallInfo, isSteadError, resetPageState } from '../../pkg/index.mjs';
import { SteadFetch } from '../../pkg/pnpjs.mjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import { readmeLine } from './readme_lines.mjs';

const server = await startLab();
after(server.stop);
beforeEach(resetPageState);
const lab = scopesAt(server.address);

const SOON = { 'retry-after-ms': 1 };
const THROTTLED = { status: 429, headers: SOON };
/** PnPjs's own sender waits by this header, in whole seconds. */
const AT_ONCE = { status: 429, headers: { 'retry-after': '0' } };

/** A script by which the first write to this path is answered so, and all others as usual. */
const answers = (path, step) => ({ rules: [{ match: { method: 'POST', path }, steps: [step] }] });

/** A scope and its PnPjs, made by what the README says unless a test makes another. */
async function open(script, make = (context) => readmeLine('PnPjs 4', { spfi, SPFx, SteadFetch, context })) {
  const scope = await lab({ lists: { Orders: 3 }, ...(Array.isArray(script) ? { steps: script } : script) });
  const sp = make({ pageContext: { web: { absoluteUrl: scope.here('/sites/a') }, legacyPageContext: {} } });
  return { scope, sp, orders: sp.web.lists.getByTitle('Orders').items };
}
const withOptions = (options) => (context) => spfi().using(SPFx(context), SteadFetch(options));
/** What arrived but for requests of a digest. */
const sent = async (scope) =>
  (await scope.requests()).filter(({ path }) => !path.endsWith('/contextinfo')).map(({ method, status }) => `${method} ${status}`);
const failure = (call) => call.then(() => assert.fail('was answered'), (error) => error);

test('a read gets what it asked for, with the headers and the parsing of PnPjs', async () => {
  const { scope, orders } = await open([]);
  const items = await orders.select('Id', 'Title').top(2)();
  assert.deepEqual(items.map(({ Id }) => Id), [1, 2]);
  const [{ headers, query }] = await scope.requests();
  assert.equal(headers.accept, 'application/json');
  assert.ok(headers['x-pnpjs-requestid']);
  assert.match(decodeURIComponent(query), /\$select=Id,Title/);
});

test('a throttled read is repeated once, and by nobody else', async () => {
  const { scope, orders } = await open([THROTTLED]);
  assert.equal((await orders()).length, 3);
  assert.deepEqual(await sent(scope), ['GET 429', 'GET 200']);
});

test('a read that stays throttled is repeated as often as we say, and ends in the error of PnPjs, whose response has the account', async () => {
  const { scope, orders } = await open([{ ...THROTTLED, times: 10 }], withOptions({ maxRetries: 2, coolDown: false }));
  const error = await failure(orders());
  assert.ok(error.isHttpRequestError, String(error));
  assert.equal(error.status, 429);
  assert.equal(getCallInfo(error.response).stop, 'no-retries-left');
  assert.deepEqual(await sent(scope), ['GET 429', 'GET 429', 'GET 429']);
});

for (const [status, stop] of [[429, 'unsafe-method'], [503, 'unsafe-method'], [504, 'final-status']]) {
  test(`a write that got ${status} is sent once, where PnPjs's own sender sends it again`, async () => {
    const step = { ...AT_ONCE, status };
    const { scope, orders } = await open(answers('items', step));
    const error = await failure(orders.add({ Title: 'once' }));
    assert.equal(error.status, status);
    assert.equal(getCallInfo(error.response).stop, stop);
    assert.deepEqual(await sent(scope), [`POST ${status}`]);

    const theirs = await open(answers('items', step), (context) => spfi().using(SPFx(context)));
    await theirs.orders.add({ Title: 'twice' });
    assert.deepEqual(await sent(theirs.scope), [`POST ${status}`, 'POST 201']);
  });
}

test('a write whose answer was lost is sent once', async () => {
  const { scope, orders } = await open(answers('items', { drop: 'rst-mid-headers', apply: true }));
  assert.ok((await failure(orders.add({ Title: 'once' }))) instanceof TypeError);
  const { lists } = await scope.account();
  assert.equal(lists.Orders.count, 4);
});

test('an update, which is a POST with another method in its headers, is sent once', async () => {
  const { scope, orders } = await open(answers('items(1)', AT_ONCE));
  assert.equal((await failure(orders.getById(1).update({ Title: 'new' }))).status, 429);
  assert.deepEqual(await sent(scope), ['POST 429']);
});

test('the digest is PnPjs\'s own: one, and the write has it', async () => {
  const { scope, orders } = await open({ sharepoint: { digestMs: 60_000 } });
  await orders.add({ Title: 'written' });
  const requests = await scope.requests();
  assert.deepEqual(requests.map(({ path, status }) => [path.split('/').pop(), status]), [['contextinfo', 200], ['items', 201]]);
  assert.ok(requests[1].headers['x-requestdigest']);
});

test('a batch is sent once', async () => {
  const { scope, sp } = await open(answers('$batch', AT_ONCE));
  const [batched, execute] = sp.batched();
  const call = batched.web.lists.getByTitle('Orders').items();
  call.catch(() => {}); // never answered: PnPjs leaves it open
  assert.equal((await failure(execute())).status, 429);
  assert.deepEqual(await sent(scope), ['POST 429']);
});

test('a cached read asks nobody', async () => {
  const { scope, sp } = await open([]);
  sp.using(Caching({ store: 'session' }));
  const read = () => sp.web.lists.getByTitle('Orders').items();
  assert.deepEqual(await read(), await read());
  assert.deepEqual(await sent(scope), ['GET 200']);
});

test('headers of other behaviours are on every attempt', async () => {
  const { scope, orders } = await open([THROTTLED], (context) => withOptions()(context).using(InjectHeaders({ 'x-own': 'yes' })));
  await orders();
  assert.deepEqual((await scope.requests()).map(({ headers }) => headers['x-own']), ['yes', 'yes']);
});

test('a signal ends a call that waits for its answer', async () => {
  const { scope, sp } = await open([{ hold: true }]);
  const controller = new AbortController();
  const call = failure(sp.web.lists.getByTitle('Orders').items({ signal: controller.signal }));
  await scope.held();
  const reason = new Error('left the page');
  controller.abort(reason);
  await scope.until(({ requests }) => requests[0].outcome === 'client-left');
  assert.equal(await call, reason);
});

test('cancel() of PnPjs ends a call between two attempts, and nothing is sent afterwards', async () => {
  let cancel;
  const options = { coolDown: false, onRetry: () => cancel() };
  const { scope, sp } = await open([{ status: 503, headers: { 'retry-after-ms': 20 }, times: 2 }], (context) =>
    spfi().using(SPFx(context), Cancelable(), SteadFetch(options)));
  const call = sp.web.lists.getByTitle('Orders').items();
  cancel = () => call.cancel();
  assert.equal((await failure(call)).name, 'AbortError');
  // Another call waits as long as the cancelled one would have, is repeated, and is the last that the server sees.
  cancel = () => {};
  await sp.web.lists.getByTitle('Orders').items();
  assert.deepEqual(await sent(scope), ['GET 503', 'GET 503', 'GET 200']);
});

test('options are those of spFetch, and a wrong one rejects the call before anything is sent', async () => {
  const { scope, orders } = await open([THROTTLED], withOptions({ maxRetries: -1 }));
  assert.ok(isSteadError(await failure(orders()), 'EOPTION'));
  assert.deepEqual(await sent(scope), []);
});

test('what is no instance of PnPjs is refused in words', () => {
  for (const wrong of [undefined, null, {}, { on: {} }, 'sp']) {
    assert.throws(() => SteadFetch()(wrong), (error) => isSteadError(error, 'EOPTION') && /`using` of PnPjs/.test(error.message));
  }
});

test('a transport of one\'s own gets the address as a string, as from the senders of PnPjs', async () => {
  const inputs = [];
  const fetch = (input, init) => (inputs.push(input), globalThis.fetch(input, init));
  const { scope, orders } = await open([], withOptions({ fetch }));
  await orders();
  assert.deepEqual(inputs, [scope.here("/sites/a/_api/web/lists/getByTitle('Orders')/items")]);
});

test('PnPjs logs what is sent, as with its own sender', async () => {
  const { sp } = await open([]);
  const messages = [];
  sp.using((instance) => (instance.on.log((message) => messages.push(message)), instance));
  await sp.web.lists.getByTitle('Orders').items();
  assert.equal(messages.filter((message) => /^Fetch: GET http.*items$/.test(message)).length, 1, messages.join('\n'));
});

// ---- with another sender beside it

test('a retrying sender that was there before is gone', async () => {
  const { scope, orders } = await open(answers('items', { ...AT_ONCE, times: 5 }),
    (context) => spfi().using(BrowserFetchWithRetry(), SPFx(context), BrowserFetchWithRetry({ replace: false }), SteadFetch()));
  await failure(orders.add({ Title: 'once' }));
  assert.deepEqual(await sent(scope), ['POST 429']);
});

test('a retrying sender that is added afterwards is never asked', async () => {
  const { scope, orders } = await open(answers('items', { ...AT_ONCE, times: 5 }),
    (context) => spfi().using(SPFx(context), SteadFetch(), BrowserFetchWithRetry({ replace: false })));
  await failure(orders.add({ Title: 'once' }));
  assert.deepEqual(await sent(scope), ['POST 429']);
});

test('a sender that replaces ours has its way: in the wrong order the repeats of PnPjs are back', async () => {
  const { scope, orders } = await open(answers('items', AT_ONCE),
    (context) => spfi().using(SteadFetch(), SPFx(context)));
  await orders.add({ Title: 'twice' });
  assert.deepEqual(await sent(scope), ['POST 429', 'POST 201']);
});
