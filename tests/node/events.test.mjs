// `subscribe` and `telemetry`: what the page shares, told and shown without anything personal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { answer, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, isSteadError, resetPageState, spFetch, subscribe, telemetry } = await importFresh();

const SECRET = 'https://secret-tenant.example.com:8443/api/secret-name?code=secret-code';
const POST = { method: 'POST', body: '{}' };

/** Events of one test, of one type or all. */
function heard(t, type) {
  const events = [];
  t.after(subscribe((event) => (type === undefined || event.type === type) && events.push(event)));
  return events;
}

test('a gate that closes is told once, and shown until it opens', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t, 'cool-down');
  const { fetch } = scripted(answer(429, { 'Retry-After': '5' }));
  await finish(clock, spFetch(SECRET, { fetch, maxRetries: 0 }));
  const untilMs = Date.now() + 5_000;
  assert.deepEqual(events, [{ type: 'cool-down', host: events[0].host, untilMs }]);
  assert.deepEqual(telemetry().coolDowns, [{ host: events[0].host, untilMs }]);
  await clock.tickAsync(5_000);
  assert.deepEqual(telemetry().coolDowns, []);
});

test('a circuit tells of each change, and shows its state, rate and time', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t, 'circuit');
  const { fetch } = scripted(answer(502), answer(502), answer(502), answer(502), answer(200));
  const ask = () => finish(clock, aiFetch(SECRET, { ...POST, fetch, maxRetries: 0, circuit: { key: 'answers' } }));
  for (let call = 0; call < 4; call++) await ask();
  assert.deepEqual(telemetry().circuits, [{ key: 'answers', state: 'open', failureRate: 0, calls: 0, reopensInMs: 1_760 }]);
  await ask();
  const changes = events.map(({ type, key, from, to }) => [type, key, from, to]);
  assert.deepEqual(changes, [
    ['circuit', 'answers', 'closed', 'open'],
    ['circuit', 'answers', 'open', 'half-open'],
    ['circuit', 'answers', 'half-open', 'closed'],
  ]);
  assert.deepEqual(telemetry().circuits, [{ key: 'answers', state: 'closed', failureRate: 0, calls: 0, reopensInMs: null }]);
});

test('a budget tells what was spent, refunded and refused, and shows what is left', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t, 'retry-budget');
  const { fetch } = scripted(...Array(30).fill(answer(503)));
  for (let call = 0; call < 3; call++) await finish(clock, spFetch(SECRET, { fetch, retryBudget: { ratio: 0, minPerMinute: 0 } }));
  const controller = new AbortController();
  const changes = events.map(({ type, change, left }) => [type, change, left]);
  assert.deepEqual(changes.slice(0, 9), Array.from({ length: 9 }, (_, n) => ['retry-budget', 'spent', 9 - n]));
  assert.equal(Math.floor(telemetry().budgets[0].repeats), 1);
  const cancelled = spFetch(SECRET, { fetch, signal: controller.signal, retryBudget: { ratio: 0, minPerMinute: 0 } }).catch(() => {});
  await clock.tickAsync(10);
  controller.abort();
  await finish(clock, cancelled);
  assert.deepEqual(events.slice(9).map(({ change, left }) => [change, left]), [['spent', 0], ['refunded', 1]]);
});

test('nothing that is told or shown names a tenant, a query or a port', async (t) => {
  const clock = virtualClock(t);
  const events = heard(t);
  const { fetch } = scripted(...Array(6).fill(answer(503, { 'Retry-After': '1' })));
  for (let call = 0; call < 5; call++) await finish(clock, aiFetch(SECRET, { ...POST, fetch, maxRetries: 0, coolDown: false })).catch(() => {});
  const { fetch: throttled } = scripted(answer(429, { 'Retry-After': '9' }));
  await finish(clock, spFetch(SECRET, { fetch: throttled, maxRetries: 0 }));
  assert.ok(events.length >= 2);
  const said = JSON.stringify([events, telemetry()]);
  for (const secret of ['secret-tenant', 'secret-code', '8443', 'example.com']) assert.ok(!said.includes(secret), `${secret} in ${said}`);
});

test('a listener that throws or rejects breaks nothing, hears no more once it has left, and may be the same twice', async (t) => {
  const clock = virtualClock(t);
  let told = 0;
  const listener = ({ type }) => {
    if (type === 'cool-down') told++;
    throw new Error('mine');
  };
  const ends = [subscribe(listener), subscribe(listener), subscribe(async () => Promise.reject(new Error('mine')))];
  t.after(() => ends.forEach((end) => end()));
  const throttle = async () => {
    const { fetch } = scripted(answer(429, { 'Retry-After': '5' }));
    return (await finish(clock, spFetch(SECRET, { fetch, maxRetries: 0 }))).status;
  };
  assert.deepEqual([await throttle(), told], [429, 2]);
  ends[0]();
  ends[0]();
  assert.deepEqual([await throttle(), told], [429, 3]);
});

test('what is no function is refused at once', () => {
  for (const listener of [undefined, null, {}, 'log']) {
    assert.throws(() => subscribe(listener), (error) => isSteadError(error, 'EOPTION') && error.message.includes('`listener`'));
  }
});

test('resetPageState forgets everything that is shown', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429, { 'Retry-After': '5' }), answer(200));
  await finish(clock, spFetch(SECRET, { fetch, maxRetries: 0 }));
  assert.equal(telemetry().coolDowns.length, 1);
  resetPageState();
  const { circuits, coolDowns, budgets } = telemetry();
  assert.deepEqual({ circuits, coolDowns, budgets }, { circuits: [], coolDowns: [], budgets: [] });
});
