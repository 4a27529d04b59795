// A back end that keeps failing is left alone, then asked by one call: the circuit breaker, through the built package.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, ends, finish, noNetwork, serving, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, explain, getCallInfo, isSteadError, resetPageState, resetTelemetry, spFetch, telemetry } = await importFresh();
const POST = { method: 'POST', body: '{}' };
// A median of earlier tests would be what a repeat needs.
beforeEach(resetTelemetry);
const ONCE = { maxRetries: 0 };
/** With the random unit at 0 it opens for a fifth less than 2.2 s. */
const OPEN_MS = 1_760;

/** How a call to `MODEL` ends, be it with an answer or an error. */
const ask = (fetch, init) => aiFetch(MODEL, { ...POST, ...ONCE, ...init, fetch }).catch((error) => error);

/** So many calls, one after the other, each of which gets this. */
async function get(clock, times, step, init) {
  for (let time = 0; time < times; time++) await ends(clock, [ask(serving(() => step).fetch, init)]);
}

const state = () => telemetry().circuits.map(({ state }) => state);

test('50 calls wait for the first interval: one probe reaches the server, 49 fail fast, and its success lets all in again', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 4, answer(502));
  const { fetch, at } = serving(() => after(300, answer(200)));
  const began = Date.now();
  const waits = [];
  const ended = [];
  const onRetry = ({ reason, delayMs, attempt, retryAfterMs }) => waits.push([reason, delayMs, attempt, retryAfterMs].join());
  const onDone = () => ended.push(Date.now() - began);
  const calls = Array.from({ length: 50 }, () => ask(fetch, { onRetry, onDone }));
  await settle();
  assert.deepEqual([waits.length, ...new Set(waits)], [50, `circuit-open,${OPEN_MS},0,`]);
  const outcomes = await ends(clock, calls);
  assert.deepEqual(at(), [OPEN_MS]);
  assert.deepEqual(outcomes.map(({ status }) => status).filter(Boolean), [200]);
  const refused = outcomes.filter((outcome) => isSteadError(outcome, 'ECIRCUITOPEN'));
  assert.equal(refused.length, 49);
  for (const error of refused) {
    assert.deepEqual([error.name, error.status, error.retryAfterMs, getCallInfo(error).stop], ['SteadError', null, 2_200, 'circuit-open']);
    assert.doesNotMatch(explain(error) + error.message, /contoso|answer\b.*\/api/);
  }
  assert.deepEqual(ended, [...Array(49).fill(OPEN_MS), OPEN_MS + 300], 'fast');
  await ends(clock, Array.from({ length: 50 }, () => ask(fetch)));
  assert.deepEqual([at().length, state()], [51, ['closed']]);
});

for (const [how, step, act] of [
  ['is cancelled', after(60_000, answer(200)), (controller) => controller.abort()],
  ['is stopped by its own transport', after(30, () => Promise.reject(new DOMException('mine', 'AbortError'))), () => {}],
  ['is told to wait', after(30, answer(429)), () => {}],
]) {
  test(`a probe that ${how} gives its place to exactly one other`, async (t) => {
    const clock = virtualClock(t);
    await get(clock, 4, answer(502));
    await clock.tickAsync(OPEN_MS);
    const controller = new AbortController();
    const probe = ask(serving(() => step).fetch, { signal: controller.signal });
    await clock.tickAsync(30);
    act(controller);
    await ends(clock, [probe]);
    const { fetch, sends } = serving(() => after(30, answer(200)));
    const outcomes = await ends(clock, Array.from({ length: 50 }, () => ask(fetch)));
    assert.equal(sends.length, 1);
    assert.equal(outcomes.filter(({ code }) => code === 'ECIRCUITOPEN').length, 49);
    assert.deepEqual(state(), ['closed']);
  });
}

test('a probe that is lost holds its place for ten seconds, then one more may go', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 4, answer(502));
  await clock.tickAsync(OPEN_MS);
  const { fetch, sends } = serving(() => after(60_000, answer(200)));
  const calls = [ask(fetch)];
  await clock.tickAsync(9_999);
  calls.push(ask(fetch), ask(fetch));
  await settle();
  assert.equal(sends.length, 1);
  await clock.tickAsync(1);
  calls.push(ask(fetch), ask(fetch));
  await settle();
  assert.equal(sends.length, 2);
  await ends(clock, calls);
});

test('a probe that fails fast opens it for as long again; nobody waits for a second interval', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 4, answer(502));
  for (let probe = 0; probe < 3; probe++) {
    await clock.tickAsync(OPEN_MS);
    await get(clock, 1, answer(502));
    const { fetch, sends } = serving(() => answer(200));
    const began = Date.now();
    const [error] = await ends(clock, [ask(fetch)]);
    assert.deepEqual([error.code, error.retryAfterMs, sends.length, Date.now()], ['ECIRCUITOPEN', OPEN_MS, 0, began]);
  }
});

test('a slow probe has been paid for: each doubles the open time, up to 30 s', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 4, answer(502));
  await clock.tickAsync(OPEN_MS);
  for (const open of [4_400, 8_800, 17_600, 30_000, 30_000]) {
    await get(clock, 1, after(31_000, answer(502)));
    const [error] = await ends(clock, [ask(serving(() => answer(200)).fetch)]);
    assert.equal(error.retryAfterMs, open * 0.8);
    await clock.tickAsync(open * 0.8);
  }
});

test('a call without the time for it does not wait', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 4, answer(502));
  const { fetch, sends } = serving(() => answer(200));
  const [error] = await ends(clock, [ask(fetch, { timeout: OPEN_MS + 4_999 })]);
  assert.deepEqual([error.code, error.retryAfterMs, sends.length], ['ECIRCUITOPEN', OPEN_MS, 0]);
});

test('a call that began before the circuit opened changes nothing', async (t) => {
  const clock = virtualClock(t);
  const late = [answer(200), answer(502), answer(404)].map((step) => ask(serving(() => after(1_000, step)).fetch));
  await settle();
  await get(clock, 4, answer(502));
  const before = JSON.stringify(telemetry().circuits.map(({ reopensInMs, ...rest }) => rest));
  await clock.tickAsync(1_000);
  await ends(clock, late);
  assert.equal(JSON.stringify(telemetry().circuits.map(({ reopensInMs, ...rest }) => rest)), before);
  assert.deepEqual(telemetry().circuits.map(({ reopensInMs }) => reopensInMs), [OPEN_MS - 1_000]);
});

test('a call whose own failure opens the circuit is not repeated, and gives the answer in hand', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 3, answer(502));
  const { fetch, sends } = serving(() => answer(502));
  const response = await finish(clock, ask(fetch, { maxRetries: 2 }));
  assert.deepEqual([response.status, getCallInfo(response).stop, sends.length], [502, 'circuit-open', 1]);
});

test('a call whose repeat finds the circuit opened by others is refused with the status that it had seen', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = serving((number) => answer(number === 0 ? 503 : 502));
  const call = ask(fetch, { maxRetries: 2, timeout: 6_500 });
  await settle();
  await get(clock, 3, answer(502));
  const [error] = await ends(clock, [call]);
  assert.deepEqual([error.code, error.status, sends.length], ['ECIRCUITOPEN', 503, 1]);
});

// ---- what counts

const counts = {
  'a 500': [answer(500), true], 'a 502': [answer(502), true], 'a 529': [answer(529), true], 'a network failure': [noNetwork(), true],
  'a slow 408': [after(6_000, answer(408)), true], 'a 408': [answer(408), false], 'a 429': [answer(429), false],
  'a 400': [answer(400), false], 'a 404': [answer(404), false], 'a success': [answer(200), false],
};

for (const [what, [step, opens]] of Object.entries(counts)) {
  test(`${what} ${opens ? 'is a failure' : 'is none'}`, async (t) => {
    const clock = virtualClock(t);
    await get(clock, 4, step);
    assert.deepEqual(state().filter((one) => one === 'open'), opens ? ['open'] : []);
  });
}

test('an abort is no failure, and a timeout is one', async (t) => {
  const clock = virtualClock(t);
  for (let time = 0; time < 4; time++) {
    const controller = new AbortController();
    const call = ask(serving(() => after(9_000, answer(502))).fetch, { signal: controller.signal });
    await clock.tickAsync(100);
    controller.abort();
    await ends(clock, [call]);
  }
  assert.deepEqual(state(), []);
  await get(clock, 4, after(9_000, answer(200)), { timeout: 8_000 });
  assert.deepEqual(state(), ['open']);
});

test('it opens at a share of failures, not at a number', async (t) => {
  const clock = virtualClock(t);
  for (const [successes, opens] of [[4, true], [5, false]]) {
    await get(clock, successes, answer(200));
    await get(clock, 4, answer(502));
    assert.deepEqual(state(), [opens ? 'open' : 'closed']);
    resetPageState();
  }
});

test('what is older than the window does not count', async (t) => {
  const clock = virtualClock(t);
  for (const [ms, opens] of [[269_000, true], [300_000, false]]) {
    await get(clock, 3, answer(502));
    await clock.tickAsync(ms);
    await get(clock, 1, answer(502));
    assert.deepEqual(state(), [opens ? 'open' : 'closed']);
    resetPageState();
  }
});

// ---- options

test('calls with the same key share a circuit; without one, calls to the same endpoint do', async (t) => {
  const clock = virtualClock(t);
  const keyed = { circuit: { key: 'summaries' } };
  const other = 'https://other.contoso.net/api/chat';
  for (const [init, input, later, refused] of [
    [keyed, other, keyed, true],
    [keyed, MODEL, {}, false],
    [{}, `${MODEL}?api-version=2`, {}, true],
    [{}, other, {}, false],
    [{ endpoint: 'chat' }, MODEL, {}, false],
  ]) {
    await get(clock, 4, answer(502), init);
    const { fetch, sends } = serving(() => answer(200));
    await ends(clock, [aiFetch(input, { ...POST, ...ONCE, timeout: 5_500, ...later, fetch })]);
    assert.equal(sends.length, refused ? 0 : 1, JSON.stringify([init, input, later]));
    resetPageState();
  }
});

test('failureRate, minimumCalls, windowMs and openMs are the caller\'s', async (t) => {
  const clock = virtualClock(t);
  const open = async (circuit, ...steps) => {
    for (const step of steps) await get(clock, 1, step, { circuit });
    const [found] = telemetry().circuits;
    resetPageState();
    return found.state === 'open' && found.reopensInMs;
  };
  const [good, bad] = [answer(200), answer(502)];
  assert.equal(await open({ minimumCalls: 1 }, bad), OPEN_MS);
  assert.equal(await open({ minimumCalls: 5 }, bad, bad, bad, bad), false);
  assert.equal(await open({ failureRate: 0.25 }, good, good, good, bad), OPEN_MS);
  assert.equal(await open({ failureRate: 1 }, good, bad, bad, bad, bad), false);
  assert.equal(await open({ openMs: 60_000, minimumCalls: 2 }, bad, bad), 48_000);
  assert.equal(await open({ windowMs: 1_000 }, bad, bad, bad, after(1_000, bad)), false);
  assert.equal(await open({ windowMs: 10_000 }, bad, bad, bad, after(1_000, bad)), OPEN_MS);
});

test('circuit false: the call counts nothing and is never refused; spFetch has no circuit', async (t) => {
  const clock = virtualClock(t);
  await get(clock, 8, answer(502), { circuit: false });
  assert.deepEqual(state(), []);
  await get(clock, 4, answer(502));
  const { fetch, sends } = serving(() => answer(200));
  await ends(clock, [ask(fetch, { circuit: false })]);
  for (let time = 0; time < 8; time++) await ends(clock, [spFetch(LIST, { fetch: serving(() => answer(503)).fetch, ...ONCE })]);
  await ends(clock, [spFetch(LIST, { fetch })]);
  assert.deepEqual([sends.length, state()], [2, ['open']]);
});
