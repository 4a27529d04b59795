// A wrong option is refused before anything is sent, and the error says which, what it is and what is allowed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { importFresh } from './fresh_package.mjs';
import { LIST, answer, failure, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, createAiFetch, explain, getCallInfo, isSteadError, spFetch } = await importFresh();
const POST = { method: 'POST', body: '{}' };

const MS = /milliseconds above 0, or Infinity/;
const WAIT = /milliseconds from 0 to 2147483647/;
const FUNCTION = /a function/;

/** Option, what is allowed, and values that are not. */
const common = {
  maxRetries: [/a whole number from 0 to 100/, NaN, -1, 1.5, 101, Infinity, '3', null, true, {}, [], 3n, Symbol('3'), () => 3],
  timeout: [/milliseconds above 0/, NaN, -1, 0, '5', null, true, -Infinity, Symbol('5'), () => 5],
  'timeout.totalMs': [MS, NaN, -1, 0, '5', null, {}],
  'timeout.attemptMs': [MS, NaN, -1, 0, '5'],
  'timeout.idleMs': [MS, NaN, 0],
  retryStatuses: [/an array of at most 200 whole numbers from 400 to 599/, 503, '503', null, {}, [200], [399], [600], [503.5], ['503'], [null], [[503]], [,], Array(201).fill(503)],
  backoff: [/an object/, 5, null, 'slow', true],
  'backoff.baseMs': [WAIT, NaN, -1, 2 ** 31, Infinity, '5', null],
  'backoff.capMs': [WAIT, NaN, -1, Infinity],
  fetch: [FUNCTION, null, {}, 'fetch', Promise.resolve()],
  shouldRetry: [FUNCTION, null, true, {}],
  onRetry: [FUNCTION, null, 0],
  onDone: [FUNCTION, null, 'done'],
  retryBudget: [/false, \{ ratio/, true, null, 5],
  'retryBudget.ratio': [/a number from 0 to 1/, NaN, -0.1, 1.1, '0.1'],
  coolDown: [/'page', 'tabs' or false/, true, 'tab', null, 5],
  endpoint: [/a string of 1 to 200 characters/, '', 'x'.repeat(201), 5, null, {}],
  minAttemptMs: [WAIT, NaN, -1, Infinity, '5'],
};
const ofSpFetch = { digest: [FUNCTION, null, 'digest', {}] };
const ofAiFetch = {
  slowAfterMs: [/milliseconds above 0, up to 200000/, NaN, 0, -1, 200_001, Infinity, '30000'],
  circuit: [/false or \{ key/, true, null, 'key'],
  'circuit.failureRate': [/a number from 0 to 1/, 2, NaN],
  idempotencyKey: [/true, false, or 1 to 255 visible ASCII characters/, '', 'a b', 'ключ', 'x'.repeat(256), 'a\n', 5, null, {}],
  idempotencyHeader: [/a header name/, '', 'a b', 'a:', 5, null, true],
  deadlineHeader: [/a header name or false/, '', 'a b', true, null, 5],
};

for (const [fetchOf, options] of [[spFetch, { ...common, ...ofSpFetch }], [aiFetch, { ...common, ...ofAiFetch }]]) {
  for (const [path, [allowed, ...values]] of Object.entries(options)) {
    test(`${fetchOf.name} refuses every wrong ${path}, by name and by what is allowed`, async (t) => {
      const clock = virtualClock(t);
      const { fetch, sends } = scripted();
      const [name, member] = path.split('.');
      for (const value of values) {
        const init = { ...POST, fetch, [name]: member ? { [member]: value } : value };
        const error = await failure(clock, fetchOf(LIST, init));
        assert.ok(isSteadError(error, 'EOPTION'), `${inspect(value)}: ${error}`);
        assert.equal(error.name, 'SteadError');
        assert.match(error.message, allowed);
        assert.ok(error.message.startsWith(`\`${path}\` must be `), error.message);
        assert.equal(explain(error), 'The request was not sent, because an option of it is wrong.');
      }
      assert.equal(sends.length, 0);
      assert.equal(clock.countTimers(), 0);
    });
  }
}

const shown = [
  [{ maxRetries: NaN }, '`maxRetries` must be a whole number from 0 to 100, not NaN.'],
  [{ maxRetries: '3' }, '`maxRetries` must be a whole number from 0 to 100, not "3".'],
  [{ timeout: -1 }, '`timeout` must be milliseconds above 0, or Infinity, not -1.'],
  [{ retryStatuses: [503, 200] }, '`retryStatuses` must be an array of at most 200 whole numbers from 400 to 599, not 200.'],
  [{ coolDown: 'tab' }, '`coolDown` must be \'page\', \'tabs\' or false, not "tab".'],
  [{ onRetry: null }, '`onRetry` must be a function, not null.'],
  [{ onRetry: [] }, '`onRetry` must be a function, not a value of type object.'],
  [{ endpoint: 'x'.repeat(1000) }, '`endpoint` must be a string of 1 to 200 characters, not a string of 1000 characters.'],
];
for (const [init, message] of shown) {
  test(message, async (t) => {
    assert.equal((await failure(virtualClock(t), spFetch(LIST, init))).message, message);
  });
}

test('a wrong key is not shown: it may be a secret', async (t) => {
  const error = await failure(virtualClock(t), aiFetch(LIST, { ...POST, idempotencyKey: 'my secret' }));
  assert.equal(error.message, '`idempotencyKey` must be true, false, or 1 to 255 visible ASCII characters, not a string of 9 characters.');
});

const fine = {
  'the ends of every range': {
    maxRetries: 100, timeout: { totalMs: Number.MIN_VALUE * 2 ** 52, attemptMs: Infinity, idleMs: 1 }, retryStatuses: Array(200).fill(400),
    backoff: { baseMs: 0, capMs: 2 ** 31 - 1 }, retryBudget: { ratio: 1, minPerMinute: 0 }, coolDown: 'tabs', endpoint: 'x'.repeat(200),
    minAttemptMs: 0, slowAfterMs: 200_000, circuit: { failureRate: 0 }, idempotencyKey: '~'.repeat(255), deadlineHeader: 'x-a_b.c',
  },
  'everything switched off': { maxRetries: 0, retryStatuses: [], retryBudget: false, coolDown: false, circuit: false, idempotencyKey: false, deadlineHeader: false },
  'everything undefined': { maxRetries: undefined, timeout: undefined, retryStatuses: undefined, fetch: undefined, digest: undefined, idempotencyKey: undefined },
  'empty objects': { timeout: {}, backoff: {}, retryBudget: {}, circuit: {} },
  'a token bucket': { retryBudget: { capacity: 500, transientCost: 14, throttleCost: 5 } },
};
for (const [what, init] of Object.entries(fine)) {
  test(`${what} is allowed`, async (t) => {
    const clock = virtualClock(t);
    for (const fetchOf of [spFetch, aiFetch]) {
      const { fetch } = scripted(answer(200));
      const outcome = await finish(clock, fetchOf(LIST, { ...POST, ...init, fetch })).catch((error) => error);
      assert.ok(!isSteadError(outcome, 'EOPTION'), String(outcome));
    }
  });
}

test('an option that is none of a function\'s own is taken out and not looked at', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(200), answer(200));
  await finish(clock, spFetch(LIST, { fetch, slowAfterMs: NaN, idempotencyKey: 7 }));
  await finish(clock, aiFetch(LIST, { fetch, digest: 7 }));
  assert.deepEqual(sends.map((send) => Object.keys(send.init)), [['signal'], ['signal']]);
});

test('a refused call has no account, and neither does anything that was not sent', async (t) => {
  const clock = virtualClock(t);
  const done = t.mock.fn();
  const error = await failure(clock, createAiFetch({ onDone: done })(LIST, { timeout: NaN }));
  assert.equal(getCallInfo(error), undefined);
  assert.equal(done.mock.callCount(), 0);
});
