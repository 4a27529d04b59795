// How writeOnce ends early: by an abort at every moment, and on pages without an engine.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { importFresh, importWithoutJs, withGlobals } from './fresh_package.mjs';
import { LIST, after, answer, failure, finish, noNetwork, scripted, silence, virtualClock } from './scripted_fetch.mjs';

const { spFetch, writeOnce } = await importFresh();

const ITEMS = `${LIST}/getbytitle('Orders')/items`;
const POST = { method: 'POST', body: '{}' };
const REASON = { why: 'the user left the page' };

const never = () => new Promise(() => {});

/** When it is aborted, what the server and `find` do until then, and how often each was asked. */
const moments = {
  'before it began': [null, {}, 0, 0],
  'during the send': [500, { steps: [after(1_000, answer(201))] }, 1, 0],
  'during a send through a transport that does not listen': [500, { steps: [silence()] }, 1, 0],
  'before the first look': [9_999, { steps: [answer(429)] }, 1, 0],
  'during the first look': [10_001, { steps: [answer(429)], find: never }, 1, 1],
  'between the looks': [19_999, { steps: [answer(429)] }, 1, 1],
  'during the second send': [20_500, { steps: [answer(429), after(1_000, answer(201))] }, 2, 2],
  'between the looks after a lost answer': [5_000, { steps: [noNetwork()] }, 1, 1],
};

for (const [moment, [ms, { steps = [], find = async () => null }, sent, looked]] of Object.entries(moments)) {
  test(`aborted ${moment}, it rejects with the caller's reason and nothing is sent or asked afterwards`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const { fetch, sends } = scripted(...steps);
    const signals = [];
    const looking = (signal) => {
      signals.push(signal);
      return find();
    };
    if (ms === null) controller.abort(REASON);
    const call = writeOnce(ITEMS, { ...POST, fetch, find: looking, signal: controller.signal });
    call.catch(() => {});
    await clock.tickAsync(ms || 0);
    controller.abort(REASON);
    assert.equal(await failure(clock, call), REASON);
    assert.equal(clock.countTimers(), 0);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    await clock.tickAsync(600_000);
    assert.deepEqual([sends.length, signals.length], [sent, looked]);
    if (moment === 'during the first look') assert.equal(signals[0].reason, REASON);
  });
}

test('aborted inside the last look, nothing is sent any more', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const { fetch, sends } = scripted(answer(429));
  let finds = 0;
  const find = async () => {
    if (++finds === 2) controller.abort(REASON);
    return null;
  };
  assert.equal(await failure(clock, writeOnce(ITEMS, { ...POST, fetch, find, signal: controller.signal })), REASON);
  assert.equal(sends.length, 1);
});

test('aborted when the answer is there, nobody looks', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const { fetch } = scripted(answer(504));
  let asked = false;
  const find = async () => ((asked = true), null);
  const init = { ...POST, fetch, find, onDone: () => controller.abort(REASON), signal: controller.signal };
  assert.equal(await failure(clock, writeOnce(ITEMS, init)), REASON);
  assert.equal(asked, false);
});

test('aborted while the second send waits for the page to cool down, it is no "not applied"', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const { fetch, sends } = scripted(answer(429), answer(429, { 'Retry-After': '20' }));
  let finds = 0;
  // Somebody else is told to wait between the last look and the send.
  const find = async () => (++finds === 2 && (await spFetch(LIST, { fetch, maxRetries: 0 })), null);
  const call = writeOnce(ITEMS, { ...POST, fetch, find, signal: controller.signal });
  call.catch(() => {});
  await clock.tickAsync(25_000);
  controller.abort(REASON);
  assert.equal(await failure(clock, call), REASON);
  assert.deepEqual([sends.length, finds], [2, 2]);
});

test('an abort that another listener keeps from us still ends it before anything is sent again', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const { fetch, sends } = scripted(answer(429));
  const call = writeOnce(ITEMS, { ...POST, fetch, find: async () => null, signal: controller.signal });
  call.catch(() => {});
  await clock.tickAsync(15_000);
  controller.abort(REASON);
  assert.equal(await failure(clock, call), REASON);
  assert.equal(sends.length, 1);
});

test('the signal of a Request counts, and `signal: null` takes it away', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const request = () => new Request(ITEMS, { ...POST, signal: controller.signal });
  const { fetch } = scripted(answer(429), answer(429), answer(201));
  const find = async () => null;
  const theirs = writeOnce(request(), { fetch, find });
  theirs.catch(() => {});
  await clock.tickAsync(1_000);
  const nobodys = writeOnce(request(), { fetch, find, signal: null });
  await clock.tickAsync(1_000);
  controller.abort(REASON);
  assert.equal(await failure(clock, theirs), REASON);
  assert.equal((await finish(clock, nobodys)).status, 'written');
});

// ---- engine 'none'

async function withoutEngine(t) {
  withGlobals(t, { WebAssembly: undefined });
  t.mock.method(console, 'warn', () => {});
  return importWithoutJs();
}

test('without an engine it sends once and says written, rejected or unknown', async (t) => {
  const { engine, writeOnce } = await withoutEngine(t);
  const html = answer(200, { 'content-type': 'text/html' }, '<html>');
  const cases = [
    [answer(201), 'written'], [answer(204), 'written'], [html, 'unknown'],
    [answer(400), 'rejected'], [answer(403), 'rejected'], [answer(412), 'rejected'],
    [answer(408), 'unknown'], [answer(429), 'unknown'], [answer(500), 'unknown'], [answer(503), 'unknown'], [answer(504), 'unknown'],
    [noNetwork(), 'unknown'],
  ];
  for (const [step, expected] of cases) {
    const { fetch, sends } = scripted(step);
    const result = await writeOnce(ITEMS, { ...POST, fetch, find: () => assert.fail('asked'), lostAnswer: 'resend' });
    assert.deepEqual([result.status, result.sends, sends.length], [expected, 1, 1]);
    assert.ok(expected === 'unknown' ? result.cause : result.response instanceof Response);
  }
  assert.equal(engine(), 'none');
});

test('without an engine an abort and a wrong option are what they are', async (t) => {
  const { writeOnce } = await withoutEngine(t);
  const controller = new AbortController();
  const { fetch } = scripted(silence());
  const call = writeOnce(ITEMS, { ...POST, fetch, find: async () => null, signal: controller.signal });
  controller.abort(REASON);
  await assert.rejects(call, (error) => error === REASON);
  await assert.rejects(writeOnce(ITEMS, { ...POST, fetch }), { code: 'EOPTION' });
});
