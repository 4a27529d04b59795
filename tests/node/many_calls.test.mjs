// Calls side by side: each has its own attempts, waits and end, and afterwards the page is as it was.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, after, answer, finish, noNetwork, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();

const scenes = [
  { steps: () => [after(10, answer(200))], stop: 'success', total: 10 },
  { steps: () => [after(10, answer(503)), after(20, answer(200))], stop: 'success', total: 1_030 },
  { steps: () => [answer(429, { 'Retry-After': '7' }), answer(200)], stop: 'success', total: 7_000 },
  { steps: () => [noNetwork(), after(5, noNetwork())], stop: 'network', total: 5, only: spFetch },
  { steps: () => [silence()], init: { timeout: 3_000 }, stop: 'timeout', total: 3_000 },
  { steps: () => [answer(500)], stop: 'final-status', total: 0 },
  { steps: () => [after(31_000, answer(503))], init: { maxRetries: 1 }, stop: 'slow-failure', total: 31_000, only: aiFetch },
];

test('a thousand calls on one signal do not know of each other', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  const calls = [];
  for (let number = 0; number < 1_000; number++) {
    const scene = scenes[number % scenes.length];
    const fetchOf = scene.only || (number % 2 ? spFetch : aiFetch);
    const { fetch, sends } = scripted(...scene.steps());
    const infos = [];
    const call = fetchOf(`${LIST}/${number}`, { retryBudget: false, circuit: false, coolDown: false, ...scene.init, fetch, signal, onDone: (info) => infos.push(info) }).catch((error) => error);
    calls.push({ scene, sends, infos, call });
  }
  await finish(clock, Promise.all(calls.map(({ call }) => call)));
  for (const { scene, sends, infos } of calls) {
    assert.deepEqual([infos.length, infos[0].stop, infos[0].totalMs, sends.length], [1, scene.stop, scene.total, scene.steps().length]);
  }
  assert.equal(clock.countTimers(), 0);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('one abort ends all calls of a signal, in whatever phase they are, and no others', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  const phases = [silence(), answer(429, { 'Retry-After': '60' }), after(2_000, answer(200))];
  const run = (signal) => phases.map((step) => {
    const { fetch, sends } = scripted(step, answer(200));
    return { sends, call: spFetch(LIST, { fetch, signal, timeout: 100_000, coolDown: false }).catch((error) => error) };
  });
  const [ended, others] = [run(controller.signal), run(new AbortController().signal)];
  await clock.tickAsync(1_000);
  controller.abort('all of you');
  for (const { call } of ended) assert.equal(await finish(clock, call), 'all of you');
  const outcomes = await finish(clock, Promise.all(others.map(({ call }) => call)));
  assert.deepEqual(outcomes.map((outcome) => getCallInfo(outcome).stop), ['timeout', 'success', 'success']);
  await settle();
  assert.deepEqual(ended.map(({ sends }) => sends.length), [1, 1, 1]);
});
