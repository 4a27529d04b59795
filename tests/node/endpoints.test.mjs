// `telemetry().endpoints`: what was counted of each endpoint, how long it takes, and what that says about its limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, after, answer, asleep, failure, finish, noNetwork, scripted, serving, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, createAiFetch, normalizeUrl, resetTelemetry, spFetch, telemetry } = await importFresh();
const POST = { method: 'POST', body: '{}' };
const NOTHING = { p50Ms: null, p95Ms: null, p99Ms: null, samples: 0 };

beforeEach(resetTelemetry);

const only = () => {
  const { endpoints } = telemetry();
  assert.equal(endpoints.length, 1);
  return endpoints[0];
};

/** `count` calls whose answers come after `ms(n)` milliseconds. */
async function calls(clock, count, ms, send = (fetch) => spFetch(LIST, { fetch, timeout: Infinity })) {
  for (let n = 0; n < count; n++) await finish(clock, send(scripted(after(ms(n), answer(200))).fetch));
}
const ask = (fetch) => aiFetch(MODEL, { ...POST, fetch });

test('an endpoint is counted from its first call on, with every number at its place', async (t) => {
  const clock = virtualClock(t);
  const began = Date.now();
  resetTelemetry();
  const steps = [answer(429), answer(503, { 'Retry-After': '2' }), after(40, answer(200))];
  await finish(clock, spFetch(LIST, { fetch: scripted(...steps).fetch }));
  await finish(clock, spFetch(LIST, { fetch: scripted(answer(404)).fetch }));
  const { sinceMs } = telemetry();
  assert.equal(sinceMs, began);
  const { headers, ...rest } = only();
  assert.deepEqual(rest, {
    endpoint: '/sites/{site}/_api/web/lists', host: '{tenant}.sharepoint.com', method: 'GET', kind: 'sp', calls: 2, attempts: 4, retries: 2, throttled: 2,
    slowFailures: 0, failures: 1, body: NOTHING, suggestedAttemptMs: null, suggestedTotalMs: null, lastRetryAfterMs: 2_000, rateLimit: null, drift: null,
  });
  assert.equal(headers.samples, 1);
  assert.ok(Math.abs(headers.p50Ms / 40 - 1) < 0.04);
});

test('endpoint, host, method and kind tell accounts apart; a method in other letters does not', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = serving(() => answer(200));
  const other = LIST.replace('contoso', 'fabrikam');
  for (const [send, url, init] of [[spFetch, LIST], [spFetch, LIST, { method: 'get' }], [spFetch, LIST, POST], [aiFetch, LIST, POST], [spFetch, `${LIST}(7)`], [spFetch, other], [spFetch, LIST, { endpoint: 'mine' }]]) {
    await finish(clock, send(url, { ...init, fetch }));
  }
  const { endpoints } = telemetry();
  assert.deepEqual(endpoints.map(({ method, kind, calls }) => [method, kind, calls].join(' ')), ['GET sp 2', 'POST sp 1', 'POST ai 1', 'GET sp 1', 'GET sp 1', 'GET sp 1']);
  assert.doesNotMatch(JSON.stringify(endpoints), /contoso|fabrikam|https/);
});

test('only a 2xx of a page that was awake is a sample, without waits, refusals and failed attempts', async (t) => {
  const clock = virtualClock(t);
  const waited = [after(9_000, answer(503, { 'Retry-After': '9' })), after(100, answer(200))];
  await finish(clock, spFetch(LIST, { fetch: scripted(...waited).fetch }));
  for (const step of [after(900, answer(304)), after(900, answer(404)), asleep(clock, 60_000, answer(200))]) {
    await finish(clock, spFetch(LIST, { fetch: scripted(step).fetch }));
  }
  const page = () => ({ status: 200, url: LIST, headers: { 'content-type': 'text/html' } });
  await finish(clock, spFetch(LIST, { fetch: scripted(after(900, page)).fetch }));
  const gate = scripted(answer(429, { 'Retry-After': '7' }), after(100, answer(200)));
  await finish(clock, spFetch(LIST, { fetch: gate.fetch, maxRetries: 0 }));
  await finish(clock, spFetch(LIST, { fetch: gate.fetch }));
  assert.deepEqual(gate.at(), [0, 7_000]);
  const { headers, calls } = only();
  assert.deepEqual([headers.samples, calls], [2, 7]);
  assert.ok(Math.abs(headers.p99Ms / 100 - 1) < 0.04, `${headers.p99Ms}`);
});

test('a throttling page counts as throttled whatever its status, and once', async (t) => {
  const clock = virtualClock(t);
  for (const status of [200, 429]) {
    const page = () => ({ status, url: 'https://contoso.sharepoint.com/_layouts/15/Throttle.htm', headers: { 'content-type': 'text/html' } });
    await finish(clock, spFetch(LIST, { fetch: scripted(page).fetch }));
  }
  const { throttled, failures, headers } = only();
  assert.deepEqual([throttled, failures, headers.samples], [2, 2, 0]);
});

test('failures and slow failures are calls that ended so; an abort is neither', async (t) => {
  const clock = virtualClock(t);
  const send = (...steps) => finish(clock, aiFetch(MODEL, { ...POST, circuit: false, fetch: scripted(...steps).fetch })).catch(() => {});
  await send(after(40_000, answer(502)));
  await send(answer(502), answer(502), answer(502));
  await send(noNetwork(), answer(200));
  const gone = new AbortController();
  gone.abort();
  await failure(clock, aiFetch(MODEL, { ...POST, signal: gone.signal }));
  const { calls, attempts, retries, slowFailures, failures } = only();
  assert.deepEqual({ calls, attempts, retries, slowFailures, failures }, { calls: 4, attempts: 6, retries: 3, slowFailures: 1, failures: 2 });
});

const SETS = new URL('../vectors/latencies/', import.meta.url);
for (const file of ['sharepoint-reads.json', 'model-answers.json', 'cache-or-server.json', 'few.json']) {
  test(`through whole calls, quantiles are within 5 % of exact ones: ${file}`, async (t) => {
    const clock = virtualClock(t);
    const { ms } = JSON.parse(readFileSync(new URL(file, SETS), 'utf8'));
    const times = ms.slice(0, 150).map(Math.round);
    await calls(clock, times.length, (n) => times[n]);
    const sorted = [...times].sort((a, b) => a - b);
    const { headers } = only();
    for (const [name, share] of [['p50Ms', 0.5], ['p95Ms', 0.95], ['p99Ms', 0.99]]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1];
      assert.ok(Math.abs(headers[name] - exact) <= 0.05 * exact, `${name} ${headers[name]} instead of ${exact}`);
    }
  });
}

test('a timeout is suggested from 100 samples on: 1.5 times the p99', async (t) => {
  const clock = virtualClock(t);
  await calls(clock, 99, () => 200);
  assert.equal(only().suggestedAttemptMs, null);
  await calls(clock, 1, () => 200);
  const { suggestedAttemptMs, suggestedTotalMs, headers } = only();
  assert.equal(suggestedAttemptMs, Math.ceil(1.5 * headers.p99Ms));
  assert.ok(Math.abs(suggestedAttemptMs / 300 - 1) < 0.04);
  assert.equal(suggestedTotalMs, null);
});

test('drift is the median of the last 20 by that of all before, from 40 samples on', async (t) => {
  const clock = virtualClock(t);
  await calls(clock, 39, () => 100);
  assert.equal(only().drift, null);
  await calls(clock, 1, () => 100);
  assert.ok(Math.abs(only().drift - 1) < 0.04);
  await calls(clock, 20, () => 300);
  assert.ok(Math.abs(only().drift - 3) < 0.12, `${only().drift}`);
  await calls(clock, 20, () => 100);
  assert.ok(Math.abs(only().drift - 1) < 0.04, 'and it goes again');
  resetTelemetry();
  await calls(clock, 40, (n) => (n < 20 ? 300 : 100));
  assert.ok(Math.abs(only().drift - 1 / 3) < 0.02, `the last 20 are no part of what was usual: ${only().drift}`);
});

test('the last limits that were reported stay, as they were read; where none are, null', async (t) => {
  const clock = virtualClock(t);
  const limits = { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '7', 'RateLimit-Reset': '5' };
  const steps = [answer(200), answer(200, limits), answer(200)];
  await finish(clock, spFetch(LIST, { fetch: scripted(steps[0]).fetch }));
  assert.equal(only().rateLimit, null);
  for (const step of steps.slice(1)) await finish(clock, spFetch(LIST, { fetch: scripted(step).fetch }));
  await clock.tickAsync(60_000);
  assert.deepEqual(only().rateLimit, { limit: 100, remaining: 7, resetMs: 5_000, policy: null });
});

test('an answer whose headers cannot be read, or are far too many, breaks nothing', async (t) => {
  const clock = virtualClock(t);
  const many = new Headers({ 'RateLimit-Limit': '100', 'RateLimit-Remaining': '7' });
  for (let n = 0; n < 1_000; n++) many.set(`x-ratelimit-${n}`, 'x'.repeat(100));
  many.set('a-ratelimit-long', 'x'.repeat(100_000));
  const odd = [{ get headers() { throw new Error('no'); } }, { headers: null }, { headers: { forEach: () => { throw new Error('no'); } } }, { headers: { forEach: (told) => told(7, 7) } }, { headers: many }];
  for (const part of odd) {
    const found = Object.defineProperties({ status: 200 }, Object.getOwnPropertyDescriptors(part));
    assert.equal(await finish(clock, spFetch(LIST, { fetch: async () => found })), found);
  }
  assert.equal(only().calls, odd.length);
  assert.equal(JSON.stringify(telemetry()).includes('xxx'), false);
});

test('from the 201st endpoint on all are counted as one of each kind, and none is forgotten', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = serving(() => answer(200));
  for (let n = 0; n < 205; n++) await finish(clock, spFetch(LIST, { fetch, endpoint: `e${n}` }));
  for (const url of [LIST, 'weird:secret', '']) await finish(clock, aiFetch(url, { ...POST, fetch }));
  await finish(clock, spFetch(LIST, { fetch, endpoint: 'e0' }));
  const { endpoints } = telemetry();
  assert.equal(endpoints.length, 202);
  assert.deepEqual(endpoints.slice(200).map(({ endpoint, host, method, kind, calls }) => [endpoint, host, method, kind, calls]), [
    ['{other}', '', '{other}', 'sp', 5],
    ['{other}', '', '{other}', 'ai', 3],
  ]);
  assert.equal(endpoints.reduce((sum, { calls }) => sum + calls, 0), 209);
  assert.equal(endpoints[0].calls, 2);
});

test('resetTelemetry begins anew, and a snapshot is nobody\'s to change', async (t) => {
  const clock = virtualClock(t);
  await calls(clock, 1, () => 10);
  const snapshot = telemetry();
  snapshot.endpoints[0].calls = 99;
  snapshot.endpoints[0].headers.samples = 99;
  assert.deepEqual([only().calls, only().headers.samples], [1, 1]);
  await clock.tickAsync(1_000);
  resetTelemetry();
  assert.deepEqual([telemetry().endpoints, telemetry().sinceMs], [[], Date.now()]);
});

test('a repeat of aiFetch needs the endpoint\'s median from 20 samples on, and an option comes before it', async (t) => {
  const clock = virtualClock(t);
  const repeats = async (left, init) => {
    const { fetch, sends } = scripted(answer(503, { 'retry-after-ms': String(60_000 - left) }), answer(200));
    await finish(clock, aiFetch(MODEL, { ...POST, timeout: 60_000, coolDown: false, circuit: false, fetch, ...init }));
    return sends.length - 1;
  };
  await calls(clock, 19, () => 12_000, ask);
  assert.equal(await repeats(5_000), 1, 'the 20th sample');
  // Nineteen in twenty took 12 s.
  assert.deepEqual([await repeats(11_500), await repeats(12_500), await repeats(11_500, { minAttemptMs: 5_000 })], [0, 1, 1]);
  const other = { endpoint: 'other' };
  assert.equal(await repeats(5_000, other), 1);
});

test('what calls an endpoint leave behind are numbers: the account does not grow', async (t) => {
  const clock = virtualClock(t);
  const fetch = createAiFetch({ circuit: false });
  await calls(clock, 50, () => 10, (stub) => fetch(MODEL, { ...POST, fetch: stub }));
  const size = JSON.stringify(telemetry()).length;
  await calls(clock, 500, (n) => n, (stub) => fetch(MODEL, { ...POST, fetch: stub }));
  assert.ok(JSON.stringify(telemetry()).length < size + 60);
  assert.equal(only().endpoint, normalizeUrl(MODEL));
});
