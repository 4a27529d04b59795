// Spans as OpenTelemetry's own SDK exports them: by the semantic conventions for HTTP, at exact times, without an address.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { InMemorySpanExporter, SimpleSpanProcessor, WebTracerProvider } from '@opentelemetry/sdk-trace-web';
import { aiFetch, createAiFetch, resetPageState, spFetch } from '../../pkg/index.mjs';
import { traceWithOpenTelemetry } from '../../pkg/opentelemetry.mjs';
import { LIST, MODEL, after, answer, failure, finish, noNetwork, scripted, settle, silence, virtualClock } from './scripted_fetch.mjs';

const CLIENT = 2, UNSET = 0, ERROR = 2;
const POST = { method: 'POST', body: '{"secret":"in-the-body"}' };
const TEMPLATE = '/sites/{site}/_api/web/lists';

beforeEach(resetPageState);

/** The spans of one test; `of` makes what is given to the package of the provider. */
function traced(t, of = (provider) => provider) {
  const exporter = new InMemorySpanExporter();
  const provider = new WebTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  t.after(traceWithOpenTelemetry(of(provider)));
  return async () => {
    await settle();
    return exporter.getFinishedSpans();
  };
}

const ms = ([seconds, nanos]) => seconds * 1_000 + nanos / 1e6;

test('each attempt is a client span with exact times, a repeat says so and links to the attempt before', async (t) => {
  const clock = virtualClock(t);
  const spans = traced(t);
  const began = Date.now();
  const { fetch } = scripted(after(30, answer(429, { 'Retry-After': '2' })), after(5, noNetwork()), after(20, answer(200)));
  await finish(clock, spFetch(`${LIST}?$filter=Title eq 'Secret'`, { fetch }));
  const told = await spans();
  const common = { 'http.request.method': 'GET', 'url.template': TEMPLATE, 'server.address': '{tenant}.sharepoint.com' };
  assert.deepEqual(told.map(({ name, kind, status, attributes }) => ({ name, kind, status: status.code, attributes })), [
    { name: `GET ${TEMPLATE}`, kind: CLIENT, status: ERROR, attributes: { ...common, 'http.response.status_code': 429, 'error.type': '429' } },
    { name: `GET ${TEMPLATE}`, kind: CLIENT, status: ERROR, attributes: { ...common, 'http.request.resend_count': 1, 'error.type': 'TypeError' } },
    { name: `GET ${TEMPLATE}`, kind: CLIENT, status: UNSET, attributes: { ...common, 'http.response.status_code': 200, 'http.request.resend_count': 2 } },
  ]);
  assert.deepEqual(told.map(({ startTime, endTime }) => [ms(startTime) - began, ms(endTime) - began]), [[0, 30], [2_030, 2_035], [2_035, 2_055]]);
  const [first, second, third] = told.map((span) => span.spanContext().spanId);
  assert.deepEqual(told.map(({ links }) => links.map(({ context }) => context.spanId)), [[], [first], [second]]);
  assert.ok(third);
  assert.equal(told[0].instrumentationScope.name, 'steadfetch');
});

test('parts of a millisecond are kept', async (t) => {
  const clock = virtualClock(t);
  const spans = traced(t);
  const { now } = performance;
  let passed = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + passed);
  const { fetch } = scripted((input, init) => ((passed = 0.25), answer(200)(input, init)));
  await finish(clock, spFetch(LIST, { fetch }));
  const [{ startTime, endTime }] = await spans();
  assert.ok(Math.abs((endTime[0] - startTime[0]) * 1e9 + endTime[1] - startTime[1] - 250_000) < 1_000, `${startTime} ${endTime}`);
});

for (const [status, code] of [[200, UNSET], [204, UNSET], [304, UNSET], [400, ERROR], [404, ERROR], [500, ERROR]]) {
  test(`${status} has the status that the conventions ask of a client`, async (t) => {
    const clock = virtualClock(t);
    const spans = traced(t);
    await finish(clock, spFetch(LIST, { fetch: scripted(answer(status)).fetch }));
    const [span] = await spans();
    assert.equal(span.status.code, code);
    assert.equal(span.attributes['error.type'], code === ERROR ? String(status) : undefined);
  });
}

test('an attempt without an answer is named by its error: a limit, an abort, the network', async (t) => {
  const clock = virtualClock(t);
  const spans = traced(t);
  const controller = new AbortController();
  await failure(clock, aiFetch(MODEL, { ...POST, fetch: silence(), timeout: 50 }));
  const aborted = aiFetch(MODEL, { ...POST, fetch: silence(), signal: controller.signal });
  await settle();
  controller.abort(new Error('https://secret'));
  await failure(clock, aborted);
  await failure(clock, spFetch(LIST, { ...POST, fetch: scripted(noNetwork()).fetch }));
  const told = await spans();
  assert.deepEqual(told.map(({ attributes, status }) => [attributes['error.type'], 'http.response.status_code' in attributes, status.code]), [
    ['TimeoutError', false, ERROR],
    ['AbortError', false, ERROR],
    ['TypeError', false, ERROR],
  ]);
});

test('a method of no convention is `_OTHER`, and its span is named HTTP', async (t) => {
  const clock = virtualClock(t);
  const spans = traced(t);
  for (const method of ['MERGE', 'patch', 'get']) await finish(clock, spFetch(LIST, { method, fetch: scripted(answer(200)).fetch }));
  const told = (await spans()).map(({ name, attributes }) => [name, attributes['http.request.method'], attributes['http.request.method_original']]);
  assert.deepEqual(told, [[`HTTP ${TEMPLATE}`, '_OTHER', 'MERGE'], [`PATCH ${TEMPLATE}`, 'PATCH', 'patch'], [`GET ${TEMPLATE}`, 'GET', 'get']]);
});

test('a tracer will do as well as its provider, and after the end nothing is traced', async (t) => {
  const clock = virtualClock(t);
  const exporter = new InMemorySpanExporter();
  const provider = new WebTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const end = traceWithOpenTelemetry(provider.getTracer('mine'));
  const call = async () => {
    await finish(clock, spFetch(LIST, { fetch: scripted(answer(200)).fetch }));
    await settle();
    return exporter.getFinishedSpans().length;
  };
  assert.equal(await call(), 1);
  assert.equal(exporter.getFinishedSpans()[0].instrumentationScope.name, 'mine');
  end();
  assert.equal(await call(), 1);
});

test('nothing of an address, a header, a body or a key is in a span', async (t) => {
  const clock = virtualClock(t);
  const spans = traced(t);
  const ask = createAiFetch({ idempotencyKey: 'secret-key', headers: { Authorization: 'Bearer secret-token' } });
  const { fetch } = scripted(answer(503, { 'x-secret': 'secret-header' }, 'secret-answer'), answer(200, {}, 'secret-answer'));
  await finish(clock, ask('https://secret-app.azurewebsites.net:8443/api/users/secret@contoso.com?code=secret#secret', { ...POST, fetch }));
  const told = await spans();
  assert.equal(told.length, 2);
  const said = JSON.stringify(told.map(({ name, attributes, status, events, links }) => [name, attributes, status, events, links]));
  assert.doesNotMatch(said, /secret|contoso|8443|https/);
});
