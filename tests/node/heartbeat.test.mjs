// One timer for all that waits, and its heartbeat: a page that stood still is told from one that took its time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, finish, noNetwork, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();

const POST = { method: 'POST', body: '{}' };

/** The timers fire late by `ms`, as after a sleep during which both clocks went on. */
const late = (clock, ms, step) => async (input, init) => {
  await settle();
  clock.jump(ms);
  return step(input, init);
};

/** A page that can be frozen and put away. */
function page(t) {
  const document = new EventTarget();
  const target = new EventTarget();
  withGlobals(t, {
    document,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  });
  return { freeze: () => document.dispatchEvent(new Event('freeze')), hide: () => target.dispatchEvent(new Event('pagehide')) };
}

test('an AI failure across a beat that came late is not bought again, although both clocks agree', async (t) => {
  const clock = virtualClock(t);
  // The first beat is due after 1 s, and late from 2 s later.
  for (const [ms, sends, suspended] of [[3_000, 2, false], [3_001, 1, true]]) {
    const { fetch, sends: sent } = scripted(late(clock, ms, answer(502)), answer(200));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
    assert.deepEqual([sent.length, getCallInfo(response).attempts[0].suspended], [sends, suspended]);
  }
});

test('a read across such a beat is repeated once, and is not charged for the sleep', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(late(clock, 600_000, noNetwork()), answer(200));
  const response = await finish(clock, spFetch(LIST, { fetch, timeout: 10_000 }));
  assert.deepEqual([response.status, sends.length], [200, 2]);
});

test('a page that was frozen or put away for a moment was suspended, in the first second, too', async (t) => {
  const clock = virtualClock(t);
  const { freeze, hide } = page(t);
  const { aiFetch, getCallInfo } = await importFresh(); // it listens from its first call on
  for (const happen of [freeze, hide]) {
    const { fetch, sends } = scripted(async (...request) => (await settle(), happen(), after(10, answer(502))(...request)), answer(200));
    const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
    assert.deepEqual([sends.length, getCallInfo(response).attempts[0].suspended], [1, true]);
  }
  freeze(); // nobody was asking
  const { fetch, sends } = scripted(after(10, answer(502)), answer(200));
  await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  assert.equal(sends.length, 2);
});

test('an AI deadline passes by the wall while the machine sleeps, at the next beat', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(silence());
  let error;
  aiFetch(MODEL, { ...POST, fetch, timeout: 60_000 }).catch((reason) => (error = reason));
  await clock.tickAsync(500);
  clock.setSystemTime(Date.now() + 3_600_000);
  await clock.tickAsync(500);
  await settle();
  assert.equal(error.code, 'ETIMEOUT');
});

test('any number of calls under way share one timer, and leave none', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(...Array(50).fill(after(2_500, answer(200))));
  const calls = Array.from({ length: 50 }, (_, n) => (n % 2 ? spFetch(LIST, { fetch }) : aiFetch(MODEL, { ...POST, fetch })));
  await settle();
  assert.equal(clock.countTimers(), 50 + 1, 'fifty of the transport');
  await finish(clock, Promise.all(calls));
  assert.equal(clock.countTimers(), 0);
});

test('a transport that holds the page up before any beat is due is no sleep', async (t) => {
  const clock = virtualClock(t);
  const blocks = (...request) => {
    clock.setSystemTime(Date.now() + 3_600);
    const { now } = performance;
    performance.now = () => now.call(performance) + 3_600;
    t.after(() => (performance.now = now));
    return answer(503)(...request);
  };
  const { fetch, sends } = scripted(blocks, answer(200));
  const response = await finish(clock, aiFetch(MODEL, { ...POST, fetch }));
  assert.deepEqual([response.status, sends.length, getCallInfo(response).attempts[0].suspended], [200, 2, false]);
});
