// createSpFetch and createAiFetch: defaults of a web part, overridden call by call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, failure, finish, scripted, silence, virtualClock } from './scripted_fetch.mjs';

const { createAiFetch, createSpFetch, getCallInfo, isSteadError } = await importFresh();
const POST = { method: 'POST', body: '{}' };

test('defaults hold for every call, and a call\'s own options go before them', async (t) => {
  const clock = virtualClock(t);
  const own = createSpFetch({ maxRetries: 0, timeout: 5_000, endpoint: 'lists' });
  const infos = [];
  for (const init of [undefined, {}, { maxRetries: 1 }, { maxRetries: undefined }]) {
    const { fetch, sends } = scripted(answer(503), answer(503));
    const response = await finish(clock, own(LIST, { ...init, fetch }));
    const { attempts, endpoint } = getCallInfo(response);
    infos.push([sends.length, attempts[0].allowedMs, endpoint]);
  }
  assert.deepEqual(infos, [[1, 5_000, 'lists'], [1, 5_000, 'lists'], [2, 5_000, 'lists'], [1, 5_000, 'lists']]);
});

test('an object of options replaces the default\'s object as a whole, as every value does', async (t) => {
  const clock = virtualClock(t);
  const own = createAiFetch({ timeout: { totalMs: 60_000, attemptMs: 1_000 } });
  const { fetch } = scripted(after(2_000, answer(200)));
  const response = await finish(clock, own(MODEL, { ...POST, fetch, timeout: { totalMs: 9_000 } }));
  assert.equal(getCallInfo(response).attempts[0].allowedMs, 9_000);
});

test('functions may be defaults: transport, digest and listeners', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(201));
  const done = t.mock.fn();
  const own = createSpFetch({ fetch, digest: async () => 'fresh', onDone: done });
  await finish(clock, own(LIST, POST));
  assert.equal(sends[0].headers.get('X-RequestDigest'), 'fresh');
  assert.equal(done.mock.callCount(), 1);
});

test('two functions do not know of each other, nor of what becomes of the object they were made from', async (t) => {
  const clock = virtualClock(t);
  const defaults = { maxRetries: 0 };
  const [none, three] = [createSpFetch(defaults), createSpFetch()];
  defaults.maxRetries = 3;
  for (const [own, count] of [[none, 1], [three, 4]]) {
    const { fetch, sends } = scripted(...Array(4).fill(answer(503)));
    await finish(clock, own(LIST, { fetch }));
    assert.equal(sends.length, count);
  }
});

test('a default time limit of the factory covers the body, as the caller set it', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(() => new Response(new ReadableStream({})));
  await finish(clock, createSpFetch({ timeout: 10_000 })(LIST, { fetch }));
  await clock.tickAsync(10_000);
  assert.ok(isSteadError(sends[0].init.signal.reason, 'ETIMEOUT'));
});

test('wrong defaults fail the calls with EOPTION, and nothing is sent', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted();
  const own = createAiFetch({ maxRetries: NaN, fetch });
  assert.ok(isSteadError(await failure(clock, own(MODEL, POST)), 'EOPTION'));
  assert.equal(sends.length, 0);
});

test('the documented defaults: retries, statuses, time', async (t) => {
  const clock = virtualClock(t);
  const sp = scripted(...Array(4).fill(answer(503)));
  const response = await finish(clock, createSpFetch()(LIST, { fetch: sp.fetch }));
  assert.deepEqual([sp.sends.length, getCallInfo(response).attempts[0].allowedMs], [4, 120_000]);
  const ai = scripted(...Array(3).fill(answer(503)));
  const reply = await finish(clock, createAiFetch()(MODEL, { ...POST, fetch: ai.fetch }));
  assert.deepEqual([ai.sends.length, getCallInfo(reply).attempts[0].allowedMs], [3, 250_000]);
  const write = scripted(answer(200));
  const written = await finish(clock, createSpFetch()(LIST, { ...POST, fetch: write.fetch }));
  assert.equal(getCallInfo(written).attempts[0].allowedMs, null);
});

test('retryStatuses replaces the list, but moves no method and no slowness', async (t) => {
  const clock = virtualClock(t);
  const own = createAiFetch({ retryStatuses: [500] });
  for (const [step, count] of [[answer(500), 2], [answer(503), 1], [after(30_000, answer(500)), 1]]) {
    const { fetch, sends } = scripted(step, answer(200));
    await finish(clock, own(MODEL, { ...POST, fetch }));
    assert.equal(sends.length, count);
  }
});

test('a call of a made function ends by its default deadline', async (t) => {
  const clock = virtualClock(t);
  const error = await failure(clock, createAiFetch({ timeout: 3_000, fetch: silence() })(MODEL, POST));
  assert.deepEqual([error.code, getCallInfo(error).totalMs], ['ETIMEOUT', 3_000]);
});
