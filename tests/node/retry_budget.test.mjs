// How much repeating is polite: the retry budget, counted at the transport.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, ends, finish, noNetwork, randomBits, serving, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, resetPageState, spFetch, telemetry } = await importFresh();
const POST = { method: 'POST', body: '{}' };
/** Fails at once and may be repeated once, at once: no minutes pass, and nothing but the budget is in the way. */
const HASTY = { ...POST, maxRetries: 1, circuit: false, coolDown: false, backoff: { baseMs: 0, capMs: 0 } };

/** How often so many calls, one after the other, are repeated. */
async function repeats(clock, calls, step, init) {
  const { fetch, sends } = serving(() => step);
  for (let call = 0; call < calls; call++) await ends(clock, [aiFetch(MODEL, { ...HASTY, ...init, fetch })]);
  return sends.length - calls;
}

test('a page begins with ten repeats; after that every request adds a tenth of one', async (t) => {
  const clock = virtualClock(t);
  assert.equal(await repeats(clock, 10, answer(502)), 10);
  assert.equal(await repeats(clock, 10, answer(502)), 1);
  // The page's arithmetic is that of binary fractions: ten tenths are a little less than one.
  assert.equal(await repeats(clock, 100, answer(502)), 10);
});

test('ratio and minPerMinute are the caller\'s', async (t) => {
  const clock = virtualClock(t);
  const retryBudget = { ratio: 0.5, minPerMinute: 4 };
  assert.equal(await repeats(clock, 19, answer(502), { retryBudget }), 19);
  assert.equal(await repeats(clock, 1, answer(502), { retryBudget }), 0);
  assert.equal(await repeats(clock, 20, answer(502), { retryBudget }), 10);
  await clock.tickAsync(60_000);
  assert.equal(await repeats(clock, 10, answer(502), { retryBudget }), 9, '4 of a minute, and a half of each request');
  assert.equal(await repeats(clock, 5, answer(502), { retryBudget: { ratio: 0, minPerMinute: 0 } }), 0);
});

test('a budget that is empty surfaces the answer or the error in hand, at once', async (t) => {
  const clock = virtualClock(t);
  await repeats(clock, 12, answer(502));
  for (const step of [answer(502, {}, 'unread'), noNetwork()]) {
    const { fetch, sends } = serving(() => step);
    const began = Date.now();
    const [end] = await ends(clock, [aiFetch(MODEL, { ...HASTY, fetch })]);
    assert.deepEqual([getCallInfo(end).stop, sends.length, Date.now()], ['retry-budget', 1, began]);
    if (end.status) assert.equal(await end.text(), 'unread');
    else assert.ok(end instanceof TypeError);
  }
});

test('it belongs to the origin, whoever calls it and whatever for', async (t) => {
  const clock = virtualClock(t);
  await repeats(clock, 12, answer(502));
  for (const [url, repeated] of [[MODEL.replace('answer', 'embed'), 1], [MODEL.replace('func', 'other'), 2]]) {
    const { fetch, sends } = serving(() => answer(503));
    await ends(clock, [spFetch(url, { fetch, maxRetries: 1, backoff: { baseMs: 0 } })]);
    assert.equal(sends.length, repeated);
  }
});

test('a wait that the server stated may also draw on the reserve of a hundred', async (t) => {
  const clock = virtualClock(t);
  const retryBudget = { ratio: 0, minPerMinute: 0 };
  const stated = answer(503, { 'retry-after-ms': '1' });
  assert.equal(await repeats(clock, 10, answer(502), { retryBudget }), 10);
  assert.equal(await repeats(clock, 120, stated, { retryBudget }), 100);
  assert.equal(await repeats(clock, 5, answer(503, { 'retry-after-ms': '0' }), { retryBudget }), 0, '"now" states no wait');
});

test('retryBudget false draws on nothing and fills nothing', async (t) => {
  const clock = virtualClock(t);
  assert.equal(await repeats(clock, 50, answer(502), { retryBudget: false }), 50);
  assert.deepEqual(telemetry().budgets, []);
  assert.equal(await repeats(clock, 20, answer(502)), 11);
});

test('a repeat whose wait is cancelled is refunded, and one that was sent is not', async (t) => {
  const clock = virtualClock(t);
  const left = () => telemetry().budgets.map(({ repeats, reserve }) => [repeats, reserve]);
  const retryBudget = { ratio: 0, minPerMinute: 0 };
  for (const [ms, expected] of [[999, [[10, 100]]], [1_001, [[9, 100]]]]) {
    const controller = new AbortController();
    const { fetch } = serving((number) => (number === 0 ? answer(503) : () => new Promise(() => {})));
    const call = spFetch(LIST, { fetch, signal: controller.signal, retryBudget }).catch((error) => error);
    await settle();
    assert.deepEqual(left(), [[9, 100]]);
    await clock.tickAsync(ms);
    controller.abort();
    await call;
    // `telemetry` counts the minutes by the usual rules; none has passed to speak of.
    assert.deepEqual(left().map((levels) => levels.map(Math.floor)), expected);
    resetPageState();
  }
});

test('a repeat that the gate does not let go is refunded', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = serving((number) => [answer(503), answer(429, { 'Retry-After': '100' })][number]);
  const first = spFetch(LIST, { fetch, timeout: 60_000, retryBudget: { ratio: 0, minPerMinute: 0 } });
  await settle();
  const outcomes = await ends(clock, [first, spFetch(LIST, { fetch, maxRetries: 0 })]);
  assert.equal(outcomes[0].code, 'ECOOLINGDOWN');
  assert.equal(telemetry().budgets[0].repeats, 10);
});

// ---- the form of the AWS SDKs

test('tokens: a transient repeat costs 14 and a throttled one 5, until the capacity is used up', async (t) => {
  const clock = virtualClock(t);
  for (const [step, expected] of [[answer(502), 35], [noNetwork(), 35], [answer(503), 100], [answer(429), 100]]) {
    assert.equal(await repeats(clock, 120, step, { retryBudget: { capacity: 500 } }), expected);
    resetPageState();
  }
  const costs = { capacity: 20, transientCost: 3, throttleCost: 0.5 };
  assert.equal(await repeats(clock, 50, answer(502), { retryBudget: costs }), 6);
  resetPageState();
  assert.equal(await repeats(clock, 50, answer(503), { retryBudget: costs }), 40);
});

test('tokens: a success after a repeat pays its cost back, a clean one 1, a failure nothing, and time nothing', async (t) => {
  const clock = virtualClock(t);
  const init = { retryBudget: { capacity: 20 } };
  const then = async (...steps) => {
    const { fetch, sends } = serving((number) => steps[number]);
    await ends(clock, [aiFetch(MODEL, { ...HASTY, ...init, fetch })]);
    return sends.length - 1;
  };
  for (let time = 0; time < 5; time++) assert.equal(await then(answer(502), answer(200)), 1, 'paid back each time');
  assert.equal(await then(answer(502), answer(404)), 1, '6 are left');
  await clock.tickAsync(3_600_000);
  assert.equal(await then(answer(502)), 0);
  for (let time = 0; time < 7; time++) await then(answer(200));
  assert.equal(await then(answer(502)), 0, '13 are left');
  await then(answer(200));
  assert.equal(await then(answer(502), answer(502)), 1, '14 were');
});

test('tokens: a cancelled wait is refunded', async (t) => {
  const clock = virtualClock(t);
  const retryBudget = { capacity: 14 };
  const controller = new AbortController();
  const init = { ...HASTY, backoff: { baseMs: 5_000 }, retryBudget };
  randomBits(255);
  const call = aiFetch(MODEL, { ...init, fetch: serving(() => answer(502)).fetch, signal: controller.signal }).catch((error) => error);
  await clock.tickAsync(100);
  assert.equal(await repeats(clock, 1, answer(502), { retryBudget }), 0);
  controller.abort();
  await call;
  assert.equal(await repeats(clock, 2, answer(502), { retryBudget }), 1);
});

// ---- a server that is down for an hour

for (const [rate, everyMs, bounds] of [['1 request/s', 1_000, [480, 490]], ['3 requests/min', 20_000, [146, 148]]]) {
  for (const [how, step] of [['says 503', answer(503)], ['cannot be reached', noNetwork()]]) {
    test(`an hour in which the server ${how}, at ${rate}: repeats stay at or below 10 + a tenth of the requests + 2 a minute`, async (t) => {
      const clock = virtualClock(t);
      randomBits(undefined);
      const { fetch, sends } = serving(() => step);
      const calls = [];
      for (let ms = 0; ms < 3_600_000; ms += everyMs) {
        calls.push(spFetch(`${LIST}(${calls.length})`, { fetch }).catch((error) => error));
        await clock.tickAsync(everyMs);
      }
      const repeated = sends.length - calls.length;
      assert.equal(10 + calls.length / 10 + 2 * 60, bounds[1]);
      assert.ok(repeated <= bounds[1], `${repeated} repeats`);
      assert.ok(repeated >= bounds[0], `${repeated} repeats: nothing else kept them back`);
      await ends(clock, calls);
    });
  }
}
