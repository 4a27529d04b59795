// spFetch sends a write once, whatever happens: it may have been applied, and SharePoint has no idempotency key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, answer, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const { getCallInfo, spFetch } = await importFresh();

/** Everything that could talk a call into a repeat. */
const EAGER = { maxRetries: 100, shouldRetry: () => true, retryStatuses: [429, 500, 502, 503, 504], minAttemptMs: 0, timeout: Infinity };
const INVITING = { 'Retry-After': '1', 'x-should-retry': 'true' };

/** Sends once if this fails, and gives the reason for stopping. */
async function once(clock, input, init, step) {
  const { fetch, sends } = scripted(step, answer(200));
  const outcome = await finish(clock, spFetch(input, { ...init, fetch })).catch((error) => error);
  assert.equal(sends.length, 1);
  assert.equal(clock.countTimers(), 0);
  return getCallInfo(outcome).stop;
}

const BODY = { body: '{"Title":"x"}' };
const writes = {
  POST: [LIST, { method: 'POST', ...BODY }],
  'POST of a Request': [new Request(LIST, { method: 'POST', ...BODY }), {}],
  'POST over the GET of a Request': [new Request(LIST), { method: 'POST', ...BODY }],
  PATCH: [LIST, { method: 'PATCH', ...BODY }],
  'patch in lower case': [LIST, { method: 'patch', ...BODY }],
  PUT: [LIST, { method: 'PUT', ...BODY }],
  DELETE: [LIST, { method: 'DELETE' }],
  MERGE: [LIST, { method: 'MERGE', ...BODY }],
  OPTIONS: [LIST, { method: 'OPTIONS' }],
  'a method that nobody knows': [LIST, { method: 'GETS' }],
  'POST with X-HTTP-Method: MERGE': [LIST, { method: 'POST', headers: { 'X-HTTP-Method': 'MERGE', 'IF-MATCH': '*' }, ...BODY }],
  'POST with X-HTTP-Method: GET': [LIST, { method: 'POST', headers: { 'X-HTTP-Method': 'GET' }, ...BODY }],
  'GET with X-HTTP-Method: DELETE': [LIST, { headers: { 'X-HTTP-Method': 'DELETE' } }],
  'GET with x-http-method: merge': [LIST, { headers: { 'x-http-method': 'merge' } }],
  'GET with X-HTTP-Method-Override: PUT': [LIST, { headers: [['X-HTTP-METHOD-Override', 'PUT']] }],
  'GET with X-Method-Override: PATCH': [LIST, { headers: new Headers({ 'X-Method-Override': 'PATCH' }) }],
  'GET with an override in a Map': [LIST, { headers: new Map([['X-HTTP-Method', 'DELETE']]) }],
  'GET of a Request with an override': [new Request(LIST, { headers: { 'X-HTTP-Method': 'DELETE' } }), {}],
  'GET with one override that reads and one that writes': [LIST, { headers: { 'X-HTTP-Method': 'GET', 'X-Method-Override': 'POST' } }],
  'GET with an override of two values': [LIST, { headers: [['X-HTTP-Method', 'GET'], ['X-HTTP-Method', 'DELETE']] }],
  'GET with an override of two values, the other way round': [LIST, { headers: [['X-HTTP-Method', 'DELETE'], ['x-http-method', 'GET']] }],
  'GET whose headers function overrides it': [LIST, { headers: () => ({ 'X-HTTP-Method': 'DELETE' }) }],
  'GET whose headers promise overrides it': [LIST, { headers: async () => [['x-http-method', 'MERGE']] }],
};

for (const [what, [input, init]] of Object.entries(writes)) {
  test(`${what} is sent once, for every status from 400 to 599 and for a network failure`, async (t) => {
    const clock = virtualClock(t);
    const target = () => (input instanceof Request ? input.clone() : input);
    for (let status = 400; status < 600; status++) {
      const stop = await once(clock, target(), { ...init, ...EAGER }, answer(status, INVITING));
      assert.ok(stop === 'unsafe-method' || stop === 'final-status', `${status}: ${stop}`);
    }
    assert.equal(await once(clock, target(), { ...init, ...EAGER }, noNetwork()), 'unsafe-method');
    assert.equal(await once(clock, target(), init, answer(429, INVITING)), 'unsafe-method');
    assert.equal(await once(clock, target(), init, answer(503)), 'unsafe-method');
    assert.equal(await once(clock, target(), init, answer(500)), 'final-status');
  });
}

const reads = {
  GET: [LIST, {}],
  'get in lower case': [LIST, { method: 'get' }],
  HEAD: [LIST, { method: 'HEAD' }],
  'GET of a Request': [new Request(LIST), {}],
  'GET over the POST of a Request without a body': [new Request(LIST, { method: 'POST' }), { method: 'GET' }],
  'GET of a URL object': [new URL(LIST), {}],
  'GET with X-HTTP-Method: get': [LIST, { headers: { 'X-HTTP-Method': 'get' } }],
};

for (const [what, [input, init]] of Object.entries(reads)) {
  test(`${what} is repeated after 429, 503 and one network failure, and after nothing else`, async (t) => {
    const clock = virtualClock(t);
    for (const step of [answer(429), answer(503), noNetwork()]) {
      const { fetch, sends } = scripted(step, answer(200));
      assert.equal((await finish(clock, spFetch(input, { ...init, fetch }))).status, 200);
      assert.equal(sends.length, 2);
    }
    for (const status of [400, 401, 403, 404, 408, 409, 412, 423, 500, 502, 504, 529]) {
      assert.equal(await once(clock, input, init, answer(status, INVITING)), 'final-status');
    }
  });
}

test('the network may fail a read once; the second failure is the answer', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(noNetwork(), answer(503), noNetwork(), answer(200));
  await assert.rejects(finish(clock, spFetch(LIST, { fetch })), TypeError);
  assert.equal(sends.length, 3);
});

test('the answer to a write is handed over untouched: the same object, unread', async (t) => {
  const clock = virtualClock(t);
  const response = new Response('{"error":"throttled"}', { status: 429, headers: { 'Content-Type': 'application/json' } });
  response.clone = () => assert.fail('cloned');
  const given = await finish(clock, spFetch(LIST, { method: 'POST', fetch: async () => response }));
  assert.equal(given, response);
  assert.equal(given.bodyUsed, false);
  assert.equal(await given.text(), '{"error":"throttled"}');
});
