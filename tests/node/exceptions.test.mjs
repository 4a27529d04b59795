// Nothing is found out by an exception where all is as usual: the first one that a large script throws takes milliseconds,
// since the engine reads the script again to say where it was, and each one after it as long as a success.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL } from './scripted_fetch.mjs';

/** A debugger in another thread, which notes what is thrown in this package, caught or not. */
const DEBUGGER = `
  const { Session } = require('node:inspector');
  const { parentPort } = require('node:worker_threads');
  const session = new Session();
  session.connectToMainThread();
  const ours = new Set();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => url.includes('/pkg/') && ours.add(scriptId));
  let thrown = [];
  session.on('Debugger.paused', ({ params: { callFrames: [{ location, functionName }], data } }) => {
    if (ours.has(location.scriptId)) thrown.push(functionName + ': ' + String(data && data.description).split('\\n')[0]);
    session.post('Debugger.resume');
  });
  session.post('Debugger.enable');
  session.post('Debugger.setPauseOnExceptions', { state: 'all' }, () => parentPort.postMessage([]));
  parentPort.on('message', () => {
    parentPort.postMessage(thrown);
    thrown = [];
  });
`;

let debug;
const told = () => new Promise((resolve) => debug.once('message', resolve));
before(async () => {
  debug = new Worker(DEBUGGER, { eval: true });
  await told();
});
after(() => debug.terminate());

async function thrownBy(act) {
  await act();
  debug.postMessage('');
  return told();
}

test('the debugger sees what the package throws and catches', async () => {
  const { spFetch } = await importFresh();
  const thrown = await thrownBy(() => assert.rejects(spFetch(LIST, { maxRetries: -1 })));
  assert.ok(thrown.length > 0);
});

test('neither the first success nor a later one throws, with and without a signal', async (t) => {
  const { spFetch, aiFetch, getCallInfo, telemetry } = await importFresh();
  withGlobals(t, { fetch: () => Promise.resolve(new Response('{}')) });
  const { signal } = new AbortController();
  const calls = async () => {
    for (const init of [{}, { signal }]) {
      getCallInfo(await spFetch(LIST, init));
      getCallInfo(await aiFetch(MODEL, { method: 'POST', body: '{}', ...init }));
    }
    telemetry();
  };
  assert.deepEqual([await thrownBy(calls), await thrownBy(calls)], [[], []]);
});

test('what is asked about addresses and headers does not throw', async () => {
  const { normalizeUrl, readRateLimit, readRetryAfter } = await importFresh();
  const thrown = await thrownBy(() => {
    for (const options of [undefined, { query: 'names' }]) normalizeUrl(`${LIST}?$top=1`, options);
    const answer = new Response('', { headers: { 'Retry-After': '5', 'RateLimit-Limit': '9' } });
    readRetryAfter(answer);
    readRateLimit(answer);
  });
  assert.deepEqual(thrown, []);
});
