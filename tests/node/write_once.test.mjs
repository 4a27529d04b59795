// writeOnce on a virtual clock: what is sent and asked, when, and what the caller is told. The decisions alone, in all
// their courses, are tested beside them in Rust (src/sharepoint/write_once); many at once against a real server in
// write_once_faults.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, answer, failure, finish, noNetwork, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { getCallInfo, isSteadError, spFetch, writeOnce } = await importFresh();

const ITEMS = `${LIST}/getbytitle('Orders')/items`;
const POST = { method: 'POST', body: '{"Title":"Order 1004"}' };
const ITEM = { Id: 4 };

/** A `find` that gives these one after the other, and when it was asked. */
function finding(...found) {
  const began = Date.now();
  const asked = [];
  const find = async () => {
    asked.push(Date.now() - began);
    assert.ok(asked.length <= found.length, 'find was asked too often');
    const next = found[asked.length - 1];
    return typeof next === 'function' ? next() : next;
  };
  return { find, asked };
}

const throwing = (error) => () => {
  throw error;
};

test('a write that is answered is neither looked for nor sent again', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(201, {}, '{"Id":4}'));
  const { find, asked } = finding();
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual([result.status, result.sends, sends.length, asked], ['written', 1, 1, []]);
  assert.deepEqual(await result.response.json(), ITEM);
  assert.equal(getCallInfo(result.response).stop, 'success');
});

test('our options do not reach the transport, and everything else does', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(204));
  const init = { ...POST, fetch, find: async () => null, maxSends: 3, settleMs: 5, lostAnswer: 'stop', keepalive: true, priority: 'low' };
  await finish(clock, writeOnce(ITEMS, init));
  assert.deepEqual(Object.keys(sends[0].init).sort(), ['body', 'keepalive', 'method', 'priority']);
});

test('what was throttled is sent again when two finds a settle apart said that it is not there', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(429), answer(201));
  const { find, asked } = finding(null, undefined);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual([result.status, result.sends], ['written', 2]);
  assert.deepEqual([at(), asked], [[0, 20_000], [10_000, 20_000]]);
});

test('a stated wait is a floor, and settleMs is the caller\'s to choose', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(answer(503, { 'Retry-After': '15' }), answer(503), answer(201));
  const { find, asked } = finding(null, null, null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, maxSends: 3, settleMs: 2_000, coolDown: false }));
  assert.deepEqual([result.status, result.sends], ['written', 3]);
  assert.deepEqual([at(), asked], [[0, 17_000, 21_000], [15_000, 17_000, 19_000, 21_000]]);
});

test('a stated wait beyond `timeout` is not waited out, and then nothing is sent again', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(429, { 'Retry-After': '31' }));
  const { find, asked } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, timeout: 30_000 }));
  assert.deepEqual([result.status, sends.length, asked], ['not-applied', 1, [10_000, 20_000]]);
});

test('what is still not there after the last send is not applied, and the server\'s answer is at hand, unread', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429, {}, 'first'), answer(429, { 'Retry-After': '7' }, 'second'));
  const { find } = finding(null, null, null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual([result.status, result.sends], ['not-applied', 2]);
  assert.equal(await result.cause.text(), 'second');
});

test('what is found is already applied; the bodies that nobody gets are given up', async (t) => {
  const clock = virtualClock(t);
  const cancelled = [];
  const throttled = (name) => () => new Response(new ReadableStream({ cancel: () => void cancelled.push(name) }), { status: 429 });
  const { fetch, sends } = scripted(throttled('first'), throttled('second'));
  const { find } = finding(null, null, ITEM);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual(result, { status: 'already-applied', found: ITEM, sends: 2 });
  assert.deepEqual([sends.length, cancelled], [2, ['first', 'second']]);
});

for (const [what, step] of Object.entries({ 'network failure': noNetwork(), 504: answer(504), 502: answer(502), 408: answer(408) })) {
  test(`after a ${what} it is looked for at once, and never sent again`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(step);
    const { find, asked } = finding(null, null);
    const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, maxSends: 5 }));
    assert.deepEqual([result.status, result.sends, sends.length, asked], ['unknown', 1, 1, [0, 10_000]]);
    assert.equal(result.cause.status ?? result.cause.message, Number(what) || 'Failed to fetch');
    assert.equal('findError' in result, false);
  });
}

test('a lost answer is followed by another send only where the caller says so', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = scripted(noNetwork(), answer(201));
  const { find, asked } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, lostAnswer: 'resend' }));
  assert.deepEqual([result.status, at(), asked], ['written', [0, 20_000], [10_000, 20_000]]);
});

test('a timeout is a lost answer', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(silence());
  const { find } = finding(null, ITEM);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, timeout: 5_000 }));
  assert.deepEqual([result.status, sends.length], ['already-applied', 1]);
});

test('a sign-in page with status 200 is no success', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(200, { 'content-type': 'text/html' }, '<html>'));
  const { find } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual([result.status, getCallInfo(result.cause).page], ['unknown', 'html']);
});

for (const status of [400, 401, 403, 404, 409, 412, 423]) {
  test(`${status} is a refusal, and the answer is the caller's to read`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(answer(status, {}, 'why'));
    const { find, asked } = finding();
    const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
    assert.deepEqual([result.status, sends.length, asked], ['rejected', 1, []]);
    assert.equal(await result.response.text(), 'why');
  });
}

test('a second send that a unique column refuses means that the first one landed after all', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(503), answer(400, {}, 'duplicate values'));
  const { find } = finding(null, null, ITEM);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual(result, { status: 'already-applied', found: ITEM, sends: 2 });
});

const failures = {
  'throws at once': throwing(new Error('mine')),
  'rejects': async () => { throw new Error('mine'); },
  'rejects with nothing': () => Promise.reject(),
  'gives a thenable that throws': () => ({ get then() { throw new Error('mine'); } }),
  'gives a revoked proxy': () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; },
  'gives an answer nobody has looked into': () => new Response('{"value":[]}', { status: 429 }),
  'gives an empty list': () => [],
  'gives the body of an empty list': () => ({ value: [] }),
  'gives the verbose body of an empty list': () => ({ d: { results: [] } }),
  'gives the body of an error': () => ({ error: { code: '-2147024891' } }),
  'gives the body of an older error': () => ({ 'odata.error': { code: '-2147024891' } }),
  'gives false': () => false,
  'gives an empty string': () => '',
  'gives 0': () => 0,
};

for (const [what, find] of Object.entries(failures)) {
  test(`a find that ${what} leaves the outcome unknown and never leads to a send`, async (t) => {
    const clock = virtualClock(t);
    for (const lostAnswer of ['stop', 'resend']) {
      for (const first of [answer(429, {}, 'slow down'), noNetwork()]) {
        const { fetch, sends } = scripted(first);
        const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, lostAnswer, coolDown: false }));
        assert.deepEqual([result.status, sends.length, 'findError' in result], ['unknown', 1, true]);
      }
    }
  });
}

test('what was found is handed over as it is, even if it throws at every look', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(noNetwork());
  const hostile = new Proxy({}, {
    get(_, name) {
      if (name === 'then') return undefined; // a promise must be able to resolve with it
      throw new Error('mine');
    },
  });
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find: async () => hostile }));
  assert.deepEqual([result.status, result.found === hostile], ['already-applied', true]);
});

test('a find that gives what cannot be "there" or "not there" is told what it should give', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(noNetwork());
  const { findError, cause } = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find: async () => false }));
  assert.ok(isSteadError(findError, 'EOPTION'));
  assert.match(findError.message, /^`find` must be a function that gives what it found, or null, not false\.$/);
  assert.equal(cause.message, 'Failed to fetch');
});

test('a find may take as long as a GET: 120 s, or the time that the caller set; then its signal ends it', async (t) => {
  const clock = virtualClock(t);
  for (const [timeout, limit] of [[undefined, 120_000], [7_000, 7_000], [{ attemptMs: 50 }, 120_000]]) {
    const { fetch } = scripted(noNetwork());
    const began = Date.now();
    let signal;
    const find = (given) => {
      signal = given;
      return new Promise(() => {});
    };
    const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, timeout }));
    assert.deepEqual([result.status, Date.now() - began], ['unknown', limit]);
    assert.ok(isSteadError(result.findError, 'ETIMEOUT'));
    assert.equal(signal.reason, result.findError);
    assert.equal(clock.countTimers(), 0);
  }
});

test('a find that is over is not aborted', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(noNetwork());
  let signal;
  await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find: async (given) => ((signal = given), ITEM) }));
  await clock.tickAsync(600_000);
  assert.equal(signal.aborted, false);
});

test('an expired digest is renewed within the send, and counts for nothing', async (t) => {
  const clock = virtualClock(t);
  const digests = ['old', 'new', 'newer'];
  const expired = answer(403, { 'content-type': 'application/json' }, '{"error":{"code":"-2130575252, SPException"}}');
  const { fetch, sends } = scripted(expired, answer(429), answer(201));
  const { find } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, digest: async () => digests.shift() }));
  assert.deepEqual([result.status, result.sends], ['written', 2]);
  assert.deepEqual(sends.map(({ headers }) => headers.get('X-RequestDigest')), ['old', 'new', 'newer']);
});

test('an answer lost after the digest was renewed is a lost answer', async (t) => {
  const clock = virtualClock(t);
  const expired = answer(403, { 'content-type': 'application/json' }, '{"error":{"code":"-2130575252, SPException"}}');
  const { fetch, sends } = scripted(expired, noNetwork());
  const { find } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, digest: async () => 'digest' }));
  assert.deepEqual([result.status, sends.length], ['unknown', 2]);
});

test('what could not be sent at all rejects with the very error, and is not looked for', async (t) => {
  const clock = virtualClock(t);
  const error = new Error('no token');
  const { find, asked } = finding();
  for (const more of [{ headers: throwing(error) }, { headers: async () => { throw error; } }, { digest: throwing(error) }]) {
    const { fetch, sends } = scripted();
    assert.equal(await failure(clock, writeOnce(ITEMS, { ...POST, fetch, find, ...more })), error);
    assert.equal(sends.length, 0);
  }
  assert.deepEqual(asked, []);
});

test('a digest that cannot be renewed rejects: the refusal before proves that nothing was written', async (t) => {
  const clock = virtualClock(t);
  const error = new Error('no digest');
  const expired = answer(403, { 'content-type': 'application/json' }, '{"error":{"code":"-2130575252, SPException"}}');
  const { fetch, sends } = scripted(expired);
  const digests = [async () => 'old', throwing(error)];
  const pending = writeOnce(ITEMS, { ...POST, fetch, find: async () => null, digest: () => digests.shift()() });
  assert.equal(await failure(clock, pending), error);
  assert.equal(sends.length, 1);
});

test('on a page that cools down for longer than a write may wait, nothing is sent and ECOOLINGDOWN says so', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(429, { 'Retry-After': '100' }));
  await finish(clock, spFetch(LIST, { fetch, maxRetries: 0 }));
  const error = await failure(clock, writeOnce(ITEMS, { ...POST, fetch, find: async () => null }));
  assert.ok(isSteadError(error, 'ECOOLINGDOWN'));
  assert.ok(error.retryAfterMs > 90_000);
  assert.equal(sends.length, 1);
});

test('a later send that the cool-down holds back leaves the write not applied', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(429), answer(429, { 'Retry-After': '100' }));
  // Somebody else is told to wait between the last look and the send.
  const { find } = finding(null, async () => (await spFetch(LIST, { fetch, maxRetries: 0 }), null));
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find }));
  assert.deepEqual([result.status, result.sends, sends.length], ['not-applied', 1, 2]);
  assert.ok(isSteadError(result.cause, 'ECOOLINGDOWN'));
});

test('onDone hears of each send, and nothing it does changes what is decided', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(noNetwork());
  const heard = [];
  const onDone = (info) => {
    heard.push(info.attempts.length);
    info.attempts.length = 0;
    throw new Error('mine');
  };
  const { find } = finding(null, null);
  const result = await finish(clock, writeOnce(ITEMS, { ...POST, fetch, find, onDone }));
  assert.deepEqual([result.status, sends.length, heard], ['unknown', 1, [1]]);
});

test('MERGE, PATCH and DELETE go the same way; for a DELETE, gone is what `find` looks for', async (t) => {
  const clock = virtualClock(t);
  const merge = { method: 'POST', headers: { 'X-HTTP-Method': 'MERGE', 'If-Match': '*' }, body: '{}' };
  for (const init of [merge, { method: 'PATCH', body: '{}' }, { method: 'DELETE' }]) {
    const { fetch, sends } = scripted(answer(429), answer(204));
    const { find } = finding(null, null);
    const result = await finish(clock, writeOnce(`${ITEMS}(4)`, { ...init, fetch, find, coolDown: false }));
    assert.deepEqual([result.status, sends.length], ['written', 2]);
  }
  const { fetch, sends } = scripted(answer(504), answer(404));
  const gone = async () => ((await spFetch(`${ITEMS}(4)`, { fetch })).status === 404 ? 'gone' : null);
  const result = await finish(clock, writeOnce(`${ITEMS}(4)`, { method: 'DELETE', fetch, find: gone }));
  assert.deepEqual([result, sends.length], [{ status: 'already-applied', found: 'gone', sends: 1 }, 2]);
});

test('many writes on one page keep their courses apart', async (t) => {
  const clock = virtualClock(t);
  const steps = [answer(201), answer(429), noNetwork(), answer(400)];
  const calls = Array.from({ length: 40 }, (_, n) => {
    const { fetch } = scripted(steps[n % 4], answer(201));
    return writeOnce(ITEMS, { ...POST, fetch, find: async () => null, coolDown: false });
  });
  const results = await finish(clock, Promise.all(calls));
  const expected = ['written', 'written', 'unknown', 'rejected'];
  assert.deepEqual(results.map(({ status }) => status), Array.from({ length: 40 }, (_, n) => expected[n % 4]));
  await settle();
  assert.equal(clock.countTimers(), 0);
});
