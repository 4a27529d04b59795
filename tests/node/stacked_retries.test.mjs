// Two layers that both repeat multiply: where a header says that an outer one does, this one sends once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, finish, noNetwork, scripted, virtualClock } from './scripted_fetch.mjs';

const stacked = [
  { 'x-stainless-retry-count': '1' },
  { 'X-Stainless-Retry-Count': '12' },
  { 'retry-attempt': '2' },
  { 'amz-sdk-request': 'attempt=2; max=3' },
];
const alone = [{ 'x-stainless-retry-count': '0' }, { 'retry-attempt': '0' }, { 'amz-sdk-request': 'attempt=1; max=3' }, { 'retry-attempt': 'x' }];

test('a call that an outer layer repeats is sent once, with one warning a page', async (t) => {
  const clock = virtualClock(t);
  const { aiFetch, getCallInfo, spFetch } = await importFresh();
  const warn = t.mock.method(console, 'warn', () => {});
  for (const headers of [...stacked, () => stacked[0], async () => new Headers(stacked[1])]) {
    for (const step of [answer(503, { 'Retry-After': '1' }), noNetwork()]) {
      for (const call of [(fetch) => spFetch(LIST, { headers, fetch }), (fetch) => aiFetch(MODEL, { method: 'POST', headers, fetch, shouldRetry: () => true })]) {
        const { fetch, sends } = scripted(step);
        const outcome = await finish(clock, call(fetch)).catch((error) => error);
        assert.deepEqual([sends.length, getCallInfo(outcome).stop], [1, 'stacked-retries']);
      }
    }
  }
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /^steadfetch: .*one layer/);
});

test('a first attempt of an outer layer is repeated here, without a warning', async (t) => {
  const clock = virtualClock(t);
  const { aiFetch } = await importFresh();
  const warn = t.mock.method(console, 'warn', () => {});
  for (const headers of alone) {
    const { fetch, sends } = scripted(answer(503), answer(200));
    await finish(clock, aiFetch(MODEL, { method: 'POST', headers, fetch }));
    assert.equal(sends.length, 2);
  }
  assert.equal(warn.mock.callCount(), 0);
});
