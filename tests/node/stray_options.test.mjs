// A script of the page that puts something on `Object.prototype` changes no call: what is found there is nobody's option.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, askAi, createAiFetch, createSpFetch, getCallInfo, normalizeUrl, readAiResult, readAll, spFetch, writeOnce } = await importFresh();

/** What would be refused as an option, or show in what is sent, told or given out. */
const STRAYS = {
  maxRetries: -1, timeout: 'soon', totalMs: -1, attemptMs: -1, idleMs: -1, retryStatuses: 503, backoff: 'slow', baseMs: -1, capMs: -1,
  fetch: 'nowhere', shouldRetry: 'never', onRetry: 'loud', onDone: 'loud', retryBudget: 'none', ratio: -1, minPerMinute: -1, capacity: -1,
  transientCost: -1, throttleCost: -1, coolDown: 'never', endpoint: 'stray', minAttemptMs: -1, digest: 'stray', slowAfterMs: -1,
  circuit: 'none', failureRate: -1, minimumCalls: -1, windowMs: -1, openMs: -1, idempotencyKey: 'stray', idempotencyHeader: 'x-stray',
  deadlineHeader: 'x-stray', find: 'stray', maxSends: -1, settleMs: -1, lostAnswer: 'resend', onPage: 'loud', maxItems: -1, runMs: -1,
  read: 'stray', maxBytes: -1, onText: 'loud', fallbacks: 'none', fallbackMs: -1, on: 'stray', query: 'shape', sites: 'keep',
};

function putOnEverything(t, strays, enumerable) {
  for (const [name, value] of Object.entries(strays)) Object.defineProperty(Object.prototype, name, { value, enumerable, configurable: true, writable: true });
  t.after(() => Object.keys(strays).forEach((name) => delete Object.prototype[name]));
}

class Init {
  constructor(members) {
    Object.assign(this, members);
  }
}

/** Enumerable as by assignment, and not as by `defineProperty`; looked at through a literal and through a class. */
for (const enumerable of [true, false]) {
  for (const made of [(members) => members, (members) => new Init(members)]) {
    test(`options on Object.prototype are none: ${enumerable ? 'found' : 'not found'} by a loop, ${made({}).constructor.name}`, async (t) => {
      const clock = virtualClock(t);
      const page = JSON.stringify({ value: [{ Id: 1 }] }), said = JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] });
      const json = { 'content-type': 'application/json' };
      const { fetch, sends } = scripted(
        answer(503), answer(200), answer(200), answer(503), answer(200), answer(200), answer(200, json, page), answer(200, json, said), answer(200, json, said), answer(204),
        answer(400),
      );
      t.mock.method(globalThis, 'fetch', fetch);
      putOnEverything(t, STRAYS, enumerable);

      const read = await finish(clock, spFetch(LIST, made({ headers: {} })));
      assert.deepEqual([read.status, getCallInfo(read).attempts.length, getCallInfo(read).endpoint], [200, 2, normalizeUrl(LIST)]);
      await finish(clock, createSpFetch(made({ backoff: made({}), timeout: made({}), retryBudget: made({}) }))(LIST));
      const asked = await finish(clock, aiFetch(MODEL, made({ method: 'POST', body: '{}', circuit: made({}) })));
      assert.deepEqual([asked.status, getCallInfo(asked).attempts.length, getCallInfo(asked).idempotencyKey], [200, 2, null]);
      await finish(clock, createAiFetch(made({}))(MODEL));
      assert.equal((await finish(clock, readAll(LIST, made({})))).length, 1);
      assert.equal((await readAiResult(await finish(clock, aiFetch(MODEL)), made({}))).text, 'Yes.');
      assert.equal((await finish(clock, askAi(MODEL, made({ method: 'POST', body: '{}' })))).source, 'model');
      assert.equal((await finish(clock, writeOnce(LIST, made({ method: 'POST', find: () => null })))).status, 'written');
      const plain = made({ source: 'plain', get: () => 'Later.' });
      assert.equal((await finish(clock, askAi(MODEL, made({ method: 'POST', body: '{}', fallbacks: [plain] })))).text, 'Later.');
      assert.equal(normalizeUrl(`${LIST}?$top=5`, made({})), normalizeUrl(LIST));
      for (const { headers } of sends) assert.deepEqual([headers.get('x-stray'), headers.get('x-requestdigest')], [null, null]);
    });
  }
}

test('what stands on Object.prototype does not hide what a call says itself', async (t) => {
  const clock = virtualClock(t);
  putOnEverything(t, { maxRetries: 0 }, true);
  const { fetch } = scripted(answer(503), answer(200));
  const response = await finish(clock, spFetch(LIST, { fetch, maxRetries: 1, onDone: ({ attempts }) => assert.equal(attempts.length, 2) }));
  assert.equal(response.status, 200);
});

test('an option of a class, inherited as such, counts', async (t) => {
  const clock = virtualClock(t);
  putOnEverything(t, { maxRetries: -1 }, true);
  class Once { get maxRetries() { return 0; } }
  const { fetch, sends } = scripted(answer(503));
  t.mock.method(globalThis, 'fetch', fetch);
  assert.equal((await finish(clock, spFetch(LIST, new Once()))).status, 503);
  assert.equal(sends.length, 1);
});
