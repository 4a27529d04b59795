// What is asked for before every send, since tokens, digests and deadlines age while one waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, failure, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const EXPIRED = '{"error":{"code":"-2130575252, Microsoft.SharePoint.SPException"}}';
const expired = answer(403, { 'Content-Type': 'application/json' }, EXPIRED);

const shapes = {
  'a record': (token) => ({ Authorization: token }),
  pairs: (token) => [['Authorization', token]],
  Headers: (token) => new Headers({ Authorization: token }),
  'a Map': (token) => new Map([['Authorization', token]]),
  'a promise': async (token) => ({ Authorization: token }),
  'a generator': function* (token) { yield ['Authorization', token]; },
};

for (const [shape, make] of Object.entries(shapes)) {
  test(`a headers function that gives ${shape} is asked before every send`, async (t) => {
    const clock = virtualClock(t);
    const contexts = [];
    const headers = (context) => {
      contexts.push(context);
      return make(`token ${contexts.length}`);
    };
    const { fetch, sends } = scripted(answer(503), noNetwork(), answer(200));
    await finish(clock, spFetch(LIST, { fetch, headers }));
    assert.deepEqual(sends.map((send) => send.headers.get('Authorization')), ['token 1', 'token 2', 'token 3']);
    assert.deepEqual(contexts, [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
  });
}

test('a headers function that gives nothing sends none', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(200));
  await finish(clock, spFetch(new Request(LIST, { headers: { Accept: 'text/plain' } }), { fetch, headers: () => undefined }));
  assert.deepEqual([...sends[0].headers], []);
});

test('a headers function that fails ends the call with its own error, and nothing is sent', async (t) => {
  const clock = virtualClock(t);
  const error = new Error('no token');
  for (const headers of [() => { throw error; }, () => Promise.reject(error)]) {
    const { fetch, sends } = scripted();
    const infos = [];
    const reason = await failure(clock, spFetch(LIST, { fetch, headers, onDone: (info) => infos.push(info) }));
    assert.equal(reason, error);
    assert.deepEqual([sends.length, infos[0].stop, infos[0].attempts], [0, 'not-sent', []]);
  }
});

test('a headers function that fails before the second send ends the call with its error, not with a cancelled answer', async (t) => {
  const clock = virtualClock(t);
  const error = new Error('no token any more');
  const headers = ({ attempt }) => { if (attempt > 1) throw error; };
  const { fetch, sends } = scripted(answer(503), answer(200));
  assert.equal(await failure(clock, spFetch(LIST, { fetch, headers })), error);
  assert.equal(sends.length, 1);
});

test('the time in which headers are made counts, and nothing is sent after the deadline', async (t) => {
  const clock = virtualClock(t);
  const slow = () => new Promise((resolve) => setTimeout(resolve, 5_000, {}));
  for (const [timeout, init] of [[4_999, {}], [5_000, {}], [4_999, POST]]) {
    const { fetch, sends } = scripted();
    const digest = t.mock.fn();
    const error = await failure(clock, spFetch(LIST, { ...init, fetch, headers: slow, digest, timeout }));
    assert.deepEqual([error.code, sends.length], ['ETIMEOUT', 0]);
    await clock.runAllAsync();
    assert.equal(sends.length, 0);
    assert.equal(digest.mock.callCount(), 0, 'a digest costs a request');
  }
});

test('the digest is fetched anew for every write, and for no read', async (t) => {
  const clock = virtualClock(t);
  let asked = 0;
  const digest = async () => `digest ${++asked}`;
  const { fetch, sends } = scripted(answer(201), answer(200), answer(201));
  await finish(clock, spFetch(LIST, { ...POST, fetch, digest }));
  await finish(clock, spFetch(LIST, { fetch, digest }));
  await finish(clock, spFetch(LIST, { method: 'DELETE', fetch, digest, headers: { 'x-requestdigest': 'old', Accept: 'a/b' } }));
  assert.deepEqual(sends.map((send) => send.headers.get('X-RequestDigest')), ['digest 1', null, 'digest 2']);
  assert.equal(sends[2].headers.get('Accept'), 'a/b');
});

test('a write refused for its expired digest is sent once more with a fresh one, at once', async (t) => {
  const clock = virtualClock(t);
  let asked = 0;
  const digest = async () => `digest ${++asked}`;
  const bodies = {
    'a string': () => [LIST, POST],
    'a Request': () => [new Request(LIST, POST), {}],
    'a used-up maxRetries': () => [LIST, { ...POST, maxRetries: 0 }],
  };
  for (const [what, make] of Object.entries(bodies)) {
    asked = 0;
    const [input, init] = make();
    const received = [];
    const { fetch, at } = scripted(expired, answer(201));
    const receiving = async (input, init) => {
      received.push(await new Request(input, init).text());
      return fetch(input, init);
    };
    const response = await finish(clock, spFetch(input, { ...init, fetch: receiving, digest }));
    assert.equal(response.status, 201, what);
    assert.deepEqual([received, at(), asked], [['{}', '{}'], [0, 0], 2], what);
    assert.deepEqual(getCallInfo(response).attempts.map((attempt) => attempt.decision), ['retry', 'success']);
  }
});

const final = {
  'the second refusal': [{}, [expired, expired], 2],
  'a 403 for another reason': [{}, [answer(403, {}, '{"error":{"code":"-2147024891"}}')], 1],
  'a refusal without a digest function': [{ digest: undefined }, [expired], 1],
  'a refusal of a body that can be sent once': [{ body: new ReadableStream({}), duplex: 'half' }, [expired], 1],
  'a refusal under a layer that repeats already': [{ headers: { 'retry-attempt': '1' } }, [expired], 1],
  'a refusal of what went out without a digest': [{ method: 'GET', body: undefined, headers: { 'X-HTTP-Method': 'DELETE' } }, [expired], 1],
  'a refusal with another status': [{}, [answer(400, {}, EXPIRED)], 1],
};

for (const [what, [init, steps, count]] of Object.entries(final)) {
  test(`${what} is final, and handed over unread`, async (t) => {
    const clock = virtualClock(t);
    t.mock.method(console, 'warn', () => {});
    const { fetch, sends } = scripted(...steps, answer(201));
    const response = await finish(clock, spFetch(LIST, { ...POST, fetch, digest: async () => 'digest', ...init }));
    assert.deepEqual([sends.length, getCallInfo(response).stop, response.bodyUsed], [count, 'final-status', false]);
    assert.match(await response.text(), /"error"/);
  });
}

test('deadlineHeader names the milliseconds left, anew for each attempt', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(after(2_000, answer(503)), after(1, answer(503, { 'Retry-After': '4' })), answer(200));
  const init = { ...POST, fetch, deadlineHeader: 'x-deadline-ms', timeout: 60_000, headers: { 'X-Deadline-Ms': 'mine', a: 'b' } };
  await finish(clock, aiFetch(MODEL, init));
  assert.deepEqual(sends.map((send) => send.headers.get('x-deadline-ms')), ['60000', '57000', '52999']);
  assert.equal(sends[0].headers.get('a'), 'b');
});

test('deadlineHeader counts the time in which other headers are made', async (t) => {
  const clock = virtualClock(t);
  const headers = () => new Promise((resolve) => setTimeout(resolve, 1_500, {}));
  const { fetch, sends } = scripted(answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch, headers, deadlineHeader: 'x-deadline-ms' }));
  assert.equal(sends[0].headers.get('x-deadline-ms'), '248500');
});

test('without a deadline, and unless asked for, there is no deadline header', async (t) => {
  const clock = virtualClock(t);
  for (const init of [{ timeout: Infinity, deadlineHeader: 'x-deadline-ms' }, { deadlineHeader: false }, {}]) {
    const { fetch, sends } = scripted(answer(200));
    await finish(clock, aiFetch(MODEL, { ...POST, fetch, ...init }));
    assert.deepEqual([...sends[0].headers], []);
  }
});
