// askAi: an abort ends it at every moment, with the caller's own reason, and nothing is sent or left afterwards.

import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { POST, REASONS, asking, completion, fallback, fine, finished, held, json, overloaded, says, stream } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { MODEL, after, answer, ends, failure, finish, noNetwork, scripted, serving, settle, virtualClock } from './scripted_fetch.mjs';

const { askAi } = await importFresh();
const REASON = { why: 'the user left the page' };
const ask = asking(askAi);

// ---- aborts

const moments = {
  'before': [[], 0],
  'while `headers` is asked': [[], 0, { headers: () => new Promise(() => {}) }],
  'during a request': [[after(5_000, fine)], 1],
  'during a wait': [[answer(503, { 'Retry-After': '60' })], 1],
  'while the first word is waited for': [[() => held().response], 1],
  'halfway': [[() => { const pipe = held(); pipe.push(says('a')); return pipe.response; }], 1, { onText: () => {} }],
  'during an error\'s body': [[() => held({ status: 500 }).response], 1],
  'inside a fallback': [[answer(500)], 1, { fallbacks: [fallback('cache', new Promise(() => {})), { source: 'plain', get: () => assert.fail('asked') }] }],
};

for (const [when, [steps, sent, init]] of Object.entries(moments)) {
  for (const how of ['init', 'Request']) {
    test(`aborted ${when} by the signal of ${how}: the caller's reason, nothing is sent afterwards, nothing is left`, async (t) => {
      const clock = virtualClock(t);
      const controller = new AbortController();
      const { signal } = controller;
      const { fetch, sends } = scripted(...steps);
      if (when === 'before') controller.abort(REASON);
      const request = how === 'Request' ? new Request(MODEL, { ...POST, signal, duplex: 'half' }) : undefined;
      const own = request ? request.signal : signal;
      const left = getEventListeners(own, 'abort').length;
      const call = request ? askAi(request, { fetch, ...init }) : ask(fetch, { ...init, signal });
      const rejects = assert.rejects(call, (error) => error === REASON);
      await clock.tickAsync(1_000);
      controller.abort(REASON);
      await rejects;
      await settle();
      assert.deepEqual([clock.countTimers(), getEventListeners(own, 'abort').length], [0, left]);
      await clock.tickAsync(600_000);
      assert.equal(sends.length, sent);
    });
  }
}

test('aborted inside onText, inside a fallback that answers, and between two fallbacks', async (t) => {
  const clock = virtualClock(t);
  const never = { source: 'plain', get: t.mock.fn(() => 'never') };
  for (const init of [
    (abort) => ({ onText: abort }),
    (abort) => ({ fallbacks: [{ source: 'cache', on: REASONS, get: () => (abort(), 'too late') }, never] }),
    (abort) => ({ fallbacks: [{ source: 'cache', on: REASONS, get: async () => void setTimeout(abort) }, { source: 'cache', on: REASONS, get: () => new Promise(() => {}) }, never] }),
  ]) {
    const controller = new AbortController();
    const step = stream(says('Hel'), finished('content_filter'));
    const call = ask(scripted(step).fetch, { ...init(() => controller.abort(REASON)), signal: controller.signal });
    assert.equal(await failure(clock, call), REASON);
    assert.deepEqual([clock.countTimers(), getEventListeners(controller.signal, 'abort')], [0, []]);
  }
  assert.equal(never.get.mock.callCount(), 0);
});

test('an abort that another listener keeps from us: no further fallback is asked', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const fallbacks = [{ source: 'cache', get: () => controller.abort(REASON) }, { source: 'plain', get: () => assert.fail('asked') }];
  assert.equal(await failure(clock, ask(scripted(answer(500)).fetch, { fallbacks, signal: controller.signal })), REASON);
});

test('the signal of a fallback aborts with the caller\'s reason', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const hangs = fallback('cache', new Promise(() => {}));
  const call = ask(scripted(answer(500)).fetch, { fallbacks: [hangs], signal: controller.signal });
  await settle();
  controller.abort(REASON);
  assert.equal(await failure(clock, call), REASON);
  assert.equal(hangs.asked[0].signal.reason, REASON);
});

test('signal: null takes a Request\'s signal away', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const request = new Request(MODEL, { ...POST, signal: controller.signal, duplex: 'half' });
  const call = askAi(request, { fetch: scripted(after(100, fine)).fetch, signal: null });
  controller.abort(REASON);
  assert.equal((await finish(clock, call)).text, 'Hello');
});

test('many questions on one signal leave nothing on it', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const steps = [fine, json(overloaded()), answer(500), stream(says('a')), json(completion(null, 'content_filter')), noNetwork()];
  const { fetch } = serving((number) => steps[number % steps.length]);
  const calls = Array.from({ length: 60 }, (_, n) => ask(fetch, { endpoint: `e${n}`, signal, fallbacks: [fallback('cache', n % 2 ? 'x' : '')] }));
  const got = await ends(clock, calls);
  assert.ok(got.every(({ source }) => source));
  assert.deepEqual([clock.countTimers(), getEventListeners(signal, 'abort').length], [0, 0]);
});
