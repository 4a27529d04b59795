// A stream that our readers find cut or in error is a failure of the back end, although its status was 200: the circuit
// counts it. What the caller, the model or the request is to blame for, it does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, POST, completion, event, fetched, finished, held, jsonOf, loop, overloaded, says, streamOf } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';
import { LIST, answer, ends, finish, serving, settle, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, askAi, isSteadError, readAiResult, resetPageState, spFetch, streamAi, subscribe, telemetry } = await importFresh();
const ONCE = { maxRetries: 0 };

const readers = {
  readAiResult: async (fetch, init, options) => readAiResult(await fetched(aiFetch, fetch, { ...ONCE, ...init }), options),
  streamAi: async (fetch, init, options) => {
    const stream = streamAi(await fetched(aiFetch, fetch, { ...ONCE, ...init }), options);
    await loop(stream);
    return stream.result;
  },
  askAi: async (fetch, init, options) => (await askAi('https://func.contoso.net/api/answer', { ...POST, ...ONCE, fetch, ...init, ...options })).result,
};
const states = () => telemetry().circuits.map(({ state }) => state);
const stream = (...chunks) => () => streamOf(chunks);
const fails = (error) => () => {
  const pipe = held();
  pipe.push(says('a'));
  setTimeout(() => pipe.fail(error), 5);
  return pipe.response;
};
const hangs = (...chunks) => () => {
  const pipe = held();
  pipe.push(...chunks);
  return pipe.response;
};
const fine = stream(says('a'), finished(), DONE);

const counted = {
  'is cut off before the first word': stream(': hello\n\n'),
  'is cut off halfway': stream(says('a')),
  'breaks': fails(new TypeError('network error')),
  'says nothing more': hangs(says('a')),
  'says halfway that the server is overloaded': stream(says('a'), event(overloaded())),
  'says halfway that the server failed': stream(says('a'), event({ error: { type: 'server_error' } })),
  'says at once that the server failed, for longer than anybody waits': stream(event({ error: { type: 'server_error', message: 'retry after 86400 seconds' } })),
};

const neutral = {
  'is whole': fine,
  'is an answer in one piece': () => jsonOf(completion('Hello')),
  'is of no known provider': () => jsonOf({ answer: 'x' }),
  'is refused': stream(says('a'), finished('content_filter'), DONE),
  'is truncated': stream(says('a'), finished('length'), DONE),
  'says that the key is wrong': stream(event({ error: { code: 'invalid_api_key' } })),
  'says that money is used up': stream(event({ error: { code: 'insufficient_quota' } })),
  'says that the request is wrong': stream(event({ error: { code: 'invalid_request_error' } })),
  'says halfway that there were too many requests': stream(says('a'), event({ error: { code: 'rate_limit_exceeded' } })),
  'is a page': () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  'is broken JSON': () => new Response('{"a":', { headers: { 'Content-Type': 'application/json' } }),
  'is stopped by somebody else': fails(new DOMException('x', 'AbortError')),
};

for (const [name, read] of Object.entries(readers)) {
  for (const [what, step] of Object.entries(counted)) {
    test(`${name}: four answers of which each ${what} open the circuit, three do not`, async (t) => {
      const clock = virtualClock(t);
      const { fetch } = serving(() => step);
      for (let n = 0; n < 4; n++) {
        assert.deepEqual(states(), n === 0 ? [] : ['closed']);
        await ends(clock, [read(fetch)]);
      }
      assert.deepEqual(states(), ['open']);
      assert.ok(isSteadError(await fetched(aiFetch, fetch, { timeout: 1_000 }).catch((error) => error), 'ECIRCUITOPEN'));
    });
  }

  for (const [what, step] of Object.entries(neutral)) {
    test(`${name}: an answer that ${what} opens nothing`, async (t) => {
      const clock = virtualClock(t);
      const { fetch } = serving(() => step);
      for (let n = 0; n < 8; n++) await ends(clock, [read(fetch)]);
      assert.deepEqual(states(), ['closed']);
      assert.equal(telemetry().circuits[0].failureRate, 0);
    });
  }

  test(`${name}: a circuit that opens for a body is told of under the key that telemetry shows`, async (t) => {
    const clock = virtualClock(t);
    const keys = [];
    t.after(subscribe((told) => told.type === 'circuit' && keys.push(told.key)));
    const { fetch } = serving(() => counted['is cut off halfway']);
    for (let n = 0; n < 4; n++) await ends(clock, [read(fetch)]);
    await settle();
    assert.equal(keys.length, 1);
    assert.deepEqual(keys, telemetry().circuits.map(({ key }) => key));
  });

  test(`${name}: an answer that the caller gives up opens nothing`, async (t) => {
    const clock = virtualClock(t);
    for (let n = 0; n < 8; n++) {
      const controller = new AbortController();
      const { signal } = controller;
      const call = read(serving(() => hangs(says('a'))).fetch, { signal }, { signal });
      await settle();
      controller.abort();
      await ends(clock, [call]);
    }
    assert.deepEqual([states(), telemetry().circuits[0].failureRate], [['closed'], 0]);
  });

  test(`${name}: an error status is counted once, with the headers`, async (t) => {
    const clock = virtualClock(t);
    const steps = [answer(500), fine, answer(500), fine, fine, fine, answer(429), answer(400)];
    const { fetch } = serving((number) => steps[number]);
    for (const _ of steps) await ends(clock, [read(fetch)]);
    const [{ state, calls, failureRate }] = telemetry().circuits;
    assert.deepEqual([state, calls, failureRate], ['closed', 6, 2 / 6]);
  });

  test(`${name}: circuit: false counts nothing`, async (t) => {
    const clock = virtualClock(t);
    const { fetch } = serving(() => stream(says('a')));
    for (let n = 0; n < 8; n++) await ends(clock, [read(fetch, { circuit: false })]);
    assert.deepEqual(states(), []);
  });

  test(`${name}: it is the circuit of the call, by its own rules`, async (t) => {
    const clock = virtualClock(t);
    const { fetch } = serving(() => stream(says('a')));
    const circuit = { key: 'mine', minimumCalls: 2, failureRate: 1 };
    for (let n = 0; n < 2; n++) await ends(clock, [read(fetch, { circuit })]);
    assert.deepEqual(telemetry().circuits.map(({ key, state }) => [key, state]), [['mine', 'open']]);
  });
}

test('an error that begins a 200 is counted once, as the failure that it is shown as', async (t) => {
  const clock = virtualClock(t);
  const steps = [fine, fine, fine, fine, stream(event(overloaded()))];
  const { fetch } = serving((number) => steps[number]);
  for (const _ of steps) await ends(clock, [readers.askAi(fetch)]);
  assert.deepEqual(telemetry().circuits.map(({ calls, failureRate }) => [calls, failureRate]), [[5, 0.2]]);
});

test('the change is announced, and a circuit that opened meanwhile hears nothing twice', async (t) => {
  const clock = virtualClock(t);
  const told = [];
  t.after(subscribe(({ type, from, to }) => type === 'circuit' && told.push(`${from} ${to}`)));
  const { fetch } = serving(() => stream(says('a')));
  const responses = await ends(clock, Array.from({ length: 8 }, () => fetched(aiFetch, fetch, ONCE)));
  await ends(clock, responses.map((response) => readAiResult(response)));
  assert.deepEqual(told, ['closed open']);
});

test('a response that our readers are given twice is counted once', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = serving(() => stream(says('a')));
  await finish(clock, Promise.all([fine, fine, fine].map((step) => fetched(aiFetch, serving(() => step).fetch, ONCE))));
  const response = await finish(clock, fetched(aiFetch, fetch, ONCE));
  const one = streamAi(response);
  await loop(one);
  await loop(one);
  await one.result;
  await assert.rejects(readAiResult(response));
  assert.deepEqual(telemetry().circuits.map(({ calls, failureRate }) => [calls, failureRate]), [[4, 0.25]]);
});

test('bodies of spFetch and of the page\'s own fetch concern no circuit', async (t) => {
  const clock = virtualClock(t);
  for (let n = 0; n < 5; n++) {
    await readAiResult(streamOf([says('a')]));
    await readAiResult(await finish(clock, spFetch(LIST, { fetch: serving(() => stream(says('a'))).fetch })));
  }
  assert.deepEqual(states(), []);
});

test('a page state that was forgotten or spoilt while a body was read breaks nothing', async (t) => {
  const clock = virtualClock(t);
  for (const spoil of [resetPageState, () => { globalThis[Symbol.for('steadfetch.page/1')].windows = 7; }, () => { globalThis[Symbol.for('steadfetch.page/1')].circuits.clear(); }]) {
    const response = await finish(clock, fetched(aiFetch, serving(() => stream(says('a'))).fetch, ONCE));
    spoil();
    assert.equal((await readAiResult(response)).outcome, 'incomplete_stream');
  }
});
