// One call is told to wait, and all wait: the cool-down gate, through the built package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, ends, failure, finish, noNetwork, randomBits, serving, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, explain, getCallInfo, isSteadError, spFetch, telemetry } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const ONCE = { maxRetries: 0 };

/** Closes the gate of `LIST` for so many seconds; `respond` serves what is sent afterwards. */
async function throttled(clock, seconds, respond = () => answer(200)) {
  const server = serving((number) => (number === 0 ? answer(429, { 'Retry-After': String(seconds) }) : respond(number)));
  await finish(clock, spFetch(LIST, { fetch: server.fetch, ...ONCE }));
  return server;
}

test('of 40 calls the first is throttled: nobody sends before the time is up, then 1, 2, 4, 8 … do, and all succeed', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = serving((number) => after(50, answer(number === 0 ? 429 : 200, { 'Retry-After': '2' })));
  const inFlight = Array.from({ length: 10 }, () => spFetch(LIST, { fetch }));
  await clock.tickAsync(60);
  const later = Array.from({ length: 30 }, (_, number) => spFetch(`${LIST}(${number})`, { fetch, ...(number % 2 ? POST : {}) }));
  const answers = await ends(clock, [...inFlight, ...later]);
  assert.deepEqual(answers.map(({ status }) => status), Array(40).fill(200));
  // 31 wait: the throttled one itself, and the later ones. The scout's answer at 2100 ms begins the ramp.
  const times = (ms, count) => Array(count).fill(ms);
  assert.deepEqual(at(), [...times(0, 10), 2_050, ...times(2_150, 2), ...times(2_200, 4), ...times(2_300, 8), ...times(2_400, 16)]);
});

test('a call at the gate is told so before it waits, and the account counts the wait', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = await throttled(clock, 7);
  const events = [];
  const response = await finish(clock, spFetch(LIST, { fetch, onRetry: (event) => events.push(event) }));
  assert.deepEqual(events.map(({ reason, attempt, delayMs, retryAfterMs, status }) => [reason, attempt, delayMs, retryAfterMs, status]), [
    ['cooling-down', 0, 7_000, 7_000, null],
  ]);
  const { waitedMs, attempts } = getCallInfo(response);
  assert.deepEqual([waitedMs, attempts.length, at()], [7_000, 1, [0, 7_000]]);
});

test('writes wait for 30 s and no longer, unless they brought a deadline of their own', async (t) => {
  const clock = virtualClock(t);
  for (const [seconds, init, waits] of [[30, POST, true], [31, POST, false], [60, { ...POST, timeout: 100_000 }, true]]) {
    const { fetch, sends } = await throttled(clock, seconds);
    const [end] = await ends(clock, [spFetch(LIST, { ...init, fetch })]);
    assert.deepEqual([end.status, sends.length], waits ? [200, 2] : [null, 1]);
    clock.tick(300_000);
  }
});

test('a write that finds the gate closed a second time is refused when its 30 s do not suffice', async (t) => {
  const clock = virtualClock(t);
  for (const [seconds, waits] of [[20, true], [21, false]]) {
    const { fetch, sends } = serving((number) => [after(10_000, answer(503, { 'Retry-After': String(seconds) })), answer(429, { 'Retry-After': '20' }), answer(200)][number]);
    const inFlight = [spFetch(LIST, { fetch, ...ONCE }), spFetch(LIST, { fetch, ...ONCE })];
    await settle();
    const [end] = await ends(clock, [spFetch(LIST, { ...POST, fetch }), ...inFlight]);
    assert.deepEqual([end.status, end.code, sends.length], waits ? [200, undefined, 3] : [null, 'ECOOLINGDOWN', 2]);
    clock.tick(300_000);
  }
});

test('who does not fit is refused at once: ECOOLINGDOWN with the time that is left, and nothing is sent', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = await throttled(clock, 60);
  await clock.tickAsync(10_000);
  const began = Date.now();
  const onRetry = t.mock.fn();
  const error = await failure(clock, spFetch(LIST, { fetch, timeout: 50_000, onRetry }));
  assert.ok(isSteadError(error, 'ECOOLINGDOWN'));
  assert.deepEqual([error.name, error.status, error.retryAfterMs], ['SteadError', null, 50_000]);
  assert.deepEqual([sends.length, onRetry.mock.callCount(), Date.now()], [1, 0, began]);
  const { stop, retryAfterMs, attempts } = getCallInfo(error);
  assert.deepEqual([stop, retryAfterMs, attempts], ['cooling-down', 50_000, []]);
  assert.doesNotMatch(explain(error) + error.message, /contoso|lists/);
});

test('a repeat that finds the gate closed by others is refused with the status that it had seen', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = serving((number) => [answer(503), answer(429, { 'Retry-After': '100' })][number]);
  const first = spFetch(LIST, { fetch, timeout: 60_000 });
  await settle();
  // While it waits for its repeat, another call is throttled.
  const second = spFetch(LIST, { fetch, ...ONCE });
  const [error, response] = await ends(clock, [first, second]);
  assert.deepEqual([error.code, error.status, error.retryAfterMs], ['ECOOLINGDOWN', 503, 99_000]);
  assert.deepEqual([response.status, sends.length], [429, 2]);
});

test('spFetch cools down by origin', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = await throttled(clock, 10);
  const elsewhere = LIST.replace('contoso', 'fabrikam');
  const calls = [
    spFetch('https://contoso.sharepoint.com/sites/b/_api/web?$select=Title', { fetch }),
    spFetch('https://CONTOSO.sharepoint.com:443/', { ...POST, fetch }),
    spFetch(elsewhere, { fetch }),
    aiFetch(LIST, { ...POST, fetch }),
  ];
  await settle();
  assert.deepEqual(sends.slice(1).map(({ input }) => input), [elsewhere, LIST], 'another origin, and a back end of aiFetch');
  await ends(clock, calls);
  assert.deepEqual(sends.slice(3).map(({ at }) => at >= 10_000), [true, true]);
});

test('aiFetch cools down by circuit key: one deployment\'s limit does not stall another', async (t) => {
  const clock = virtualClock(t);
  const key = { circuit: { key: 'summaries' } };
  for (const [closing, later, waits] of [
    [[MODEL, {}], [`${MODEL}?api-version=1`, {}], true],
    [[MODEL, {}], [MODEL.replace('answer', 'embed'), {}], false],
    [[MODEL, {}], [MODEL, key], false],
    [[MODEL, key], ['https://other.contoso.net/api', key], true],
    [[MODEL, { endpoint: 'a' }], [MODEL, { endpoint: 'b' }], false],
    [[MODEL, { circuit: false }], [MODEL, {}], true],
  ]) {
    const { fetch, sends } = serving((number) => answer(number === 0 ? 429 : 200, { 'Retry-After': '10' }));
    const call = ([input, init]) => aiFetch(input, { ...POST, ...ONCE, ...init, fetch });
    await finish(clock, call(closing));
    await finish(clock, call(later));
    assert.deepEqual(sends.map(({ at }) => at), [0, waits ? 10_000 : 0], JSON.stringify([closing, later]));
    clock.tick(300_000);
  }
});

test('coolDown false: the call closes nothing, and waits for nobody', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = serving((number) => answer(number % 2 ? 200 : 429, { 'Retry-After': '10' }));
  await finish(clock, spFetch(LIST, { fetch, ...ONCE, coolDown: false }));
  assert.deepEqual(telemetry().coolDowns, []);
  await finish(clock, spFetch(LIST, { fetch }));
  await finish(clock, spFetch(LIST, { fetch, ...ONCE }));
  await finish(clock, spFetch(LIST, { fetch, coolDown: false }));
  assert.deepEqual(at(), [0, 0, 0, 0]);
});

test('a gate closes for two minutes at most; the rest binds only the call that was told', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = serving((number) => answer(number === 0 ? 429 : 200, { 'Retry-After': '500' }));
  const calls = [spFetch(`${LIST}(1)`, { fetch, timeout: Infinity })];
  await settle();
  calls.push(spFetch(`${LIST}(2)`, { fetch, timeout: Infinity }));
  await ends(clock, calls);
  assert.deepEqual(sends.map(({ input, at }) => [input.at(-2), at]), [['1', 0], ['2', 120_000], ['1', 500_000]]);
});

// ---- the scout

/** Three calls at the gate of `LIST`, of which the first to go does this. Gives when they were sent. */
async function scouting(clock, scout, act = () => {}) {
  const { fetch, at } = await throttled(clock, 2, (number) => (number === 1 ? scout : answer(200)));
  let first;
  const call = () => {
    const controller = new AbortController();
    const noted = (...args) => ((first = first || controller), fetch(...args));
    return spFetch(LIST, { fetch: noted, ...ONCE, signal: controller.signal });
  };
  const calls = [call(), call(), call()];
  await clock.tickAsync(2_030);
  act(first);
  await ends(clock, calls);
  clock.tick(300_000);
  return at().slice(1);
}

test('a scout that is cancelled, or that nobody answers, gives its place to exactly one other', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await scouting(clock, after(60_000, answer(200)), (controller) => controller.abort()), [2_000, 2_100, 2_200]);
  assert.deepEqual(await scouting(clock, after(50, noNetwork())), [2_000, 2_100, 2_200]);
});

test('a scout that is throttled closes the gate again: for what was stated, or for a second', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await scouting(clock, answer(503, { 'Retry-After': '5' })), [2_000, 7_000, 7_100]);
  assert.deepEqual(await scouting(clock, answer(503)), [2_000, 3_000, 3_100]);
  assert.deepEqual(await scouting(clock, answer(429, { 'Retry-After': '0' })), [2_000, 3_000, 3_100]);
});

test('who is throttled again shows that this was too fast: the others follow slower, one by one', async (t) => {
  const clock = virtualClock(t);
  const { fetch, at } = serving((number) => after(50, answer(number < 2 ? 429 : 200, { 'Retry-After': '10' })));
  await finish(clock, spFetch(LIST, { fetch, ...ONCE }));
  const answers = await ends(clock, Array.from({ length: 8 }, () => spFetch(LIST, { fetch })));
  assert.deepEqual(answers.map(({ status }) => status), Array(8).fill(200));
  // The second scout's answer at 20 150 ms begins the ramp: 2 in the first second, 4 in the second one. Who waits for a scout
  // looks every 100 ms.
  const places = [0, 10_050, 20_100, 20_200, 20_650, 21_150, 21_400, 21_650, 21_900, 22_150];
  const late = at().map((ms, n) => ms - places[n]);
  assert.equal(late.length, places.length);
  assert.ok(late.every((ms) => ms >= 0 && ms < 2), String(late));
});

test('a gate that is closed again opens up to 3 s later than stated, never earlier; the first time it opens as stated', async (t) => {
  const clock = virtualClock(t);
  for (const [bits, again] of [[0, 10_000], [255, 12_999]]) {
    randomBits(bits);
    const { fetch, at } = await throttled(clock, 10, (number) => answer(number === 1 ? 429 : 200, { 'Retry-After': '10' }));
    await finish(clock, spFetch(LIST, { fetch, ...ONCE }));
    await finish(clock, spFetch(LIST, { fetch, ...ONCE }));
    assert.deepEqual(at(), [0, 10_000, 10_000 + again]);
    clock.tick(300_000);
  }
});

test('a scout that is lost holds its place for ten seconds', async (t) => {
  const clock = virtualClock(t);
  assert.deepEqual(await scouting(clock, after(60_000, answer(200))), [2_000, 12_000, 12_100]);
});

test('any other answer than 429 and 503 lets the others follow', async (t) => {
  const clock = virtualClock(t);
  for (const status of [404, 500, 502]) {
    assert.deepEqual(await scouting(clock, answer(status)), [2_000, 2_100, 2_100]);
  }
});

test('the clock of the wall ends a wait early when it is set forward, and never prolongs it when it is set back', async (t) => {
  const clock = virtualClock(t);
  for (const [set, sentAfter] of [[3_600_000, 0], [-3_600_000, 60_000]]) {
    const { fetch, sends } = await throttled(clock, 60);
    clock.setSystemTime(Date.now() + set);
    const began = performance.now();
    let sentAt;
    await finish(clock, spFetch(LIST, { fetch: (...args) => ((sentAt = performance.now()), fetch(...args)) }));
    assert.deepEqual([sends.length, sentAt - began], [2, sentAfter]);
    clock.tick(300_000);
  }
});
