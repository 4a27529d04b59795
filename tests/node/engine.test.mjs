// What happens when the wasm is refused, or stops: every promise settles, and later calls are sent by plain fetch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { breakableWebAssembly, dropTimers, recordWarnings, refusals } from './broken_engine.mjs';
import { importFresh, importWithoutJs, recordingFetch, withGlobals } from './fresh_package.mjs';

const URL_OF_A_LIST = 'https://contoso.sharepoint.com/_api/web/lists';
const NEVER = () => new Promise(() => {});

for (const [what, replacement] of Object.entries(refusals)) {
  test(`where WebAssembly ${what} and there is no js engine, calls are sent by plain fetch and one warning says so`, async (t) => {
    const warnings = recordWarnings(t);
    const { fetch, calls } = recordingFetch();
    withGlobals(t, { WebAssembly: replacement, fetch });
    const { aiFetch, engine, explain, getCallInfo, readRateLimit, readRetryAfter, ready, spFetch } = await importWithoutJs();

    const response = await spFetch(URL_OF_A_LIST);
    await aiFetch(URL_OF_A_LIST, { method: 'POST', maxRetries: 5 });
    assert.equal(calls.length, 2);
    assert.equal(engine(), 'none');
    assert.equal(await ready(), 'none');
    assert.equal(warnings.length, 1);

    assert.equal(getCallInfo(response), undefined);
    assert.equal(readRetryAfter(new Headers({ 'Retry-After': '5' })), null);
    assert.equal(readRateLimit(new Headers({ 'RateLimit-Remaining': '5' })), null);
    assert.match(explain(response), /^The request was sent once/);
    assert.equal(warnings.length, 1);
  });

  test(`where WebAssembly ${what}, the js engine runs by the same rules, and nothing is said`, async (t) => {
    const warnings = recordWarnings(t);
    withGlobals(t, { WebAssembly: replacement });
    const { engine, explain, getCallInfo, spFetch } = await importFresh();
    const statuses = [429, 200];
    const fetch = async () => new Response('', { status: statuses.shift() });
    const response = await spFetch(URL_OF_A_LIST, { fetch, backoff: { baseMs: 0 }, minAttemptMs: 0 });
    assert.deepEqual([response.status, engine(), warnings], [200, 'js', []]);
    assert.deepEqual(getCallInfo(response).attempts.map(({ decision }) => decision), ['retry', 'success']);
    assert.match(explain(response), /succeeded/);
  });
}

const refused = { WebAssembly: undefined };

test('what is asked before the js engine is there gets no answer, and one warning says so', async (t) => {
  const warnings = recordWarnings(t);
  withGlobals(t, refused);
  const { engine, readRetryAfter, ready } = await importFresh();
  const headers = new Headers({ 'Retry-After': '5' });
  assert.deepEqual([readRetryAfter(headers), engine()], [null, 'not-loaded']);
  assert.equal(await ready(), 'js');
  assert.deepEqual([readRetryAfter(headers), engine(), warnings.length], [5_000, 'js', 1]);
  assert.match(String(warnings[0]), /ready\(\)/);
});

test('a js engine that did not load is tried again by a later call', async (t) => {
  const warnings = recordWarnings(t);
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { ...refused, fetch });
  const { bring, engine, getCallInfo, spFetch } = await importWithoutJs();
  await spFetch(URL_OF_A_LIST);
  assert.deepEqual([engine(), warnings.length], ['none', 1]);
  await bring();
  const response = await spFetch(URL_OF_A_LIST);
  assert.deepEqual([engine(), calls.length, getCallInfo(response).stop], ['js', 2, 'success']);
});

test('a call that waits for the js engine is what it was when it was made, and its abort does not wait', async (t) => {
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { ...refused, fetch });
  const { spFetch } = await importFresh();
  const headers = { 'x-mine': 'before' };
  const address = new URL(URL_OF_A_LIST);
  const controller = new AbortController();
  const kept = spFetch(address, { headers });
  const aborted = spFetch(URL_OF_A_LIST, { signal: controller.signal });
  headers['x-mine'] = 'after';
  address.pathname = '/elsewhere';
  controller.abort('enough');
  await assert.rejects(aborted, (reason) => reason === 'enough');
  await kept;
  assert.deepEqual(calls.map(({ input, init }) => [String(input), init.headers['x-mine']]), [[URL_OF_A_LIST, 'before']]);
});

test('a wrong option is refused without waiting for the js engine', async (t) => {
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { ...refused, fetch });
  const { engine, spFetch } = await importFresh();
  await assert.rejects(spFetch(URL_OF_A_LIST, { maxRetries: -1 }), { code: 'EOPTION' });
  assert.deepEqual([engine(), calls.length], ['not-loaded', 0]);
});

test('a js engine that does not come is waited for ten seconds, then the call is sent plainly', async (t) => {
  recordWarnings(t);
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { ...refused, fetch });
  const { spFetch } = await importFresh();
  const call = spFetch(URL_OF_A_LIST);
  // The file is read by the event loop, and so comes after this.
  clock.tick(9_999);
  await Promise.resolve();
  assert.equal(calls.length, 0);
  clock.tick(1);
  await call;
  assert.equal(calls.length, 1);
});

test('when the wasm stops, every open call is rejected and later calls are sent by plain fetch', async (t) => {
  const warnings = recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  dropTimers(t);
  withGlobals(t, { fetch: NEVER });
  const { aiFetch, engine, isSteadError, spFetch } = await importFresh();
  const open = [spFetch(URL_OF_A_LIST), spFetch(URL_OF_A_LIST, { method: 'POST' }), aiFetch(URL_OF_A_LIST)];
  assert.equal(engine(), 'wasm');

  wasm.trap();
  const all = await Promise.allSettled([...open, aiFetch(URL_OF_A_LIST)]);
  for (const { status, reason } of all) {
    assert.equal(status, 'rejected');
    assert.ok(isSteadError(reason, 'EENGINE'), String(reason));
    assert.equal(reason.cause.name, 'RuntimeError');
  }
  assert.equal(engine(), 'none');
  assert.equal(warnings.length, 1);

  const { fetch, calls } = recordingFetch();
  globalThis.fetch = fetch;
  assert.equal((await spFetch(URL_OF_A_LIST)).status, 200);
  assert.equal(calls.length, 1);
});

test('wasm that stops while it starts counts as refused, with one warning', async (t) => {
  const warnings = recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { fetch });
  const { engine, spFetch } = await importFresh();
  wasm.trap();
  await spFetch(URL_OF_A_LIST);
  assert.deepEqual([engine(), calls.length, warnings.length], ['none', 1, 1]);
});

test('a question that stops the wasm is still answered', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { engine, explain, getCallInfo, readRateLimit, readRetryAfter, ready } = await importFresh();
  assert.equal(await ready(), 'wasm');
  wasm.trap();
  assert.equal(readRetryAfter(new Headers({ 'Retry-After': '5' })), null);
  assert.equal(engine(), 'none');
  assert.equal(readRateLimit({}), null);
  assert.equal(getCallInfo({}), undefined);
  assert.match(explain({}), /^The request was sent once/);
});

test('what the wasm left behind in timers and promises does nothing once it is dead', async (t) => {
  recordWarnings(t);
  const errors = [];
  const note = (error) => errors.push(error);
  process.on('uncaughtException', note);
  t.after(() => process.off('uncaughtException', note));
  const wasm = breakableWebAssembly(t);
  dropTimers(t);
  let answer;
  withGlobals(t, { fetch: () => new Promise((resolve) => (answer = resolve)) });
  const { aiFetch, spFetch } = await importFresh();
  const open = spFetch(URL_OF_A_LIST);
  const answered = () => answer !== undefined;
  while (!answered()) await new Promise(setImmediate);

  wasm.trap();
  await assert.rejects(aiFetch(URL_OF_A_LIST), { code: 'EENGINE' });
  answer(new Response('too late'));
  await assert.rejects(open, { code: 'EENGINE' });
  await new Promise(setImmediate);
  assert.deepEqual(errors, []);
  assert.equal(wasm.entries, 1, 'only the call that found it broken went in');
});

test('wasm that is still running when its instance dies cannot reach the page any more', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  dropTimers(t);
  const { normalizeUrl, spFetch } = await importFresh();
  const fetch = async () => {
    wasm.trap();
    normalizeUrl(URL_OF_A_LIST); // enters the wasm a second time, and stops it, while the first time is waiting for this function
    return new Response('ok');
  };
  withGlobals(t, { fetch });
  await assert.rejects(spFetch(URL_OF_A_LIST), { code: 'EENGINE' });
  await new Promise(setImmediate);
  assert.equal(wasm.callsOut, 0);
});

test('a call in whose transport the wasm dies leaves no timer, and no listener that waits for the answer', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const { normalizeUrl, spFetch } = await importFresh();
  const fetch = () => {
    wasm.trap();
    normalizeUrl(URL_OF_A_LIST);
    return new Promise(() => {});
  };
  await assert.rejects(spFetch(URL_OF_A_LIST, { fetch }), { code: 'EENGINE' });
  assert.equal(clock.countTimers(), 0);
});

test('a digest is not fetched any more once the wasm has stopped', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { normalizeUrl, spFetch } = await importFresh();
  let made;
  const headers = () => new Promise((resolve) => (made = resolve));
  const digest = t.mock.fn();
  const call = spFetch(URL_OF_A_LIST, { method: 'POST', headers, digest });
  wasm.trap();
  normalizeUrl(URL_OF_A_LIST);
  await assert.rejects(call, { code: 'EENGINE' });
  made({});
  await new Promise(setImmediate);
  assert.equal(digest.mock.callCount(), 0);
});

test('a call whose own options stop the wasm while they are read is sent plainly', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { engine, normalizeUrl, spFetch } = await importFresh();
  const fetch = async () => new Response('ok');
  const init = {
    get fetch() {
      wasm.trap();
      normalizeUrl(URL_OF_A_LIST);
      return fetch;
    },
  };
  assert.equal((await spFetch(URL_OF_A_LIST, init)).status, 200);
  assert.equal(engine(), 'none');
});

test('defaults are read once, when the function is made', async (t) => {
  const { fetch, calls } = recordingFetch();
  withGlobals(t, { WebAssembly: undefined, fetch: NEVER });
  recordWarnings(t);
  const { createSpFetch } = await importFresh();
  let reads = 0;
  class Defaults {
    get fetch() {
      reads += 1;
      return fetch;
    }
  }
  const own = createSpFetch(new Defaults());
  await own(URL_OF_A_LIST);
  await own(URL_OF_A_LIST);
  assert.equal(reads, 1);
  assert.equal(calls.length, 2);
});

test('a getter that throws in the defaults fails the calls, not the creation', async () => {
  const { createAiFetch } = await importFresh();
  const broken = new Error('read too early');
  const own = createAiFetch({
    get timeout() {
      throw broken;
    },
  });
  await assert.rejects(own(URL_OF_A_LIST), { code: 'EOPTION', cause: broken });
});

test('nowMs that cannot be a number does not stop the wasm', async () => {
  const { engine, readRetryAfter, ready } = await importFresh();
  await ready();
  const hostile = { valueOf() { throw new Error('no number'); } };
  readRetryAfter(new Headers({ 'Retry-After': '5' }), hostile);
  readRetryAfter(new Headers({ 'Retry-After': '5' }), Symbol('now'));
  assert.equal(engine(), 'wasm');
});
