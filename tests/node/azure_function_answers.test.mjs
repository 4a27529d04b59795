// Every answer of the function as a page of another origin gets it: the model's own words where they concern the client,
// our own where they could give something away, and CORS on all of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../www/function/failure.js';
import { memoryKeys } from '../../www/function/idempotency.js';
import { ANSWER, PAGE, QUESTION, functionApp, heldModel, readyModel, until } from '../function/in_hand.mjs';

const failing = (error) => readyModel(() => { throw error; });
const names = (response, header) => (response.headers.get(header) ?? '').split(', ');

/** The answer to one question, and how it was logged. */
async function one(t, model, options) {
  const { post, logged } = await functionApp(t, model, options);
  const response = await post();
  return { response, body: await response.json(), logged };
}

for (const finish_reason of ['stop', 'length', 'content_filter', 'tool_calls', null]) {
  test(`finish_reason ${finish_reason} is passed on as the model said it`, async (t) => {
    const { response, body } = await one(t, readyModel(() => ({ answer: 'Beca', finish_reason })));
    assert.equal(response.status, 200);
    assert.deepEqual(body, { answer: 'Beca', finish_reason });
  });
}

test('what is no question is refused, and the model not asked', async (t) => {
  const model = readyModel();
  const { post } = await functionApp(t, model);
  for (const body of ['', 'Why?', 'null', '[]', '{}', '{"question":7}', '{"question":" "}']) {
    assert.equal((await post({}, body)).status, 400);
  }
  assert.equal(model.calls.length, 0);
});

test('where a sign-in is asked for, nobody asks without one, and preflights pass', async (t) => {
  const model = readyModel();
  const { post } = await functionApp(t, model, { signIn: true });
  const refused = await post();
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, PAGE]);
  assert.equal((await post({}, undefined, 'OPTIONS')).status, 204);
  assert.equal(model.calls.length, 0);
  assert.equal((await post({ 'x-ms-client-principal-id': 'ada' })).status, 200);
});

// ---- failures of the model

const HINTS = { 'retry-after': '7', 'retry-after-ms': '6500', 'x-ms-retry-after-ms': '6500', 'x-should-retry': 'true' };
const REPORT = { ratelimit: '"day";r=0;t=7', 'x-ratelimit-remaining-tokens': '0', 'apim-request-id': 'model-1' };

for (const status of [400, 429, 503, 529]) {
  test(`the model's ${status} is passed on with its code, its waits and its limits`, async (t) => {
    const headers = new Headers({ ...HINTS, ...REPORT, 'set-cookie': 'a=b', 'x-internal-host': 'gpu-7' });
    const { response, body } = await one(t, failing(new ModelError(status, { headers, code: 'insufficient_quota' })));
    assert.equal(response.status, status);
    const got = Object.fromEntries(Object.keys({ ...HINTS, ...REPORT }).map((name) => [name, response.headers.get(name)]));
    assert.deepEqual(got, { ...HINTS, ...REPORT });
    assert.deepEqual([response.headers.get('set-cookie'), response.headers.get('x-internal-host')], [null, null]);
    assert.equal(body.error.code, 'insufficient_quota');
  });
}

for (const status of [200, 401, 403, 404, 409, 422, 500, 501]) {
  test(`the model's ${status} is the function's own trouble: a final 500`, async (t) => {
    const { response, body } = await one(t, failing(new ModelError(status, { headers: new Headers(HINTS), code: 'invalid_api_key' })));
    assert.deepEqual([response.status, response.headers.get('x-should-retry'), body.error.code], [500, 'false', 'model_failed']);
    assert.equal(response.headers.get('retry-after'), null);
  });
}

const lost = { 'a lost connection': new TypeError('fetch failed'), 408: new ModelError(408), 502: new ModelError(502), 504: new ModelError(504) };
for (const [what, error] of Object.entries(lost)) {
  test(`${what} may be repeated if it came within 5 s, and never later: the model may have gone on`, async (t) => {
    for (const [ms, status, code] of [[4_999, 502, 'model_unreachable'], [5_000, 500, 'model_lost']]) {
      await t.test(`after ${ms} ms`, async (t) => {
        const model = heldModel();
        const { clock, post } = await functionApp(t, model);
        const posted = post();
        await until(() => model.calls.length === 1);
        await clock.tickAsync(ms);
        model.calls[0].fail(error);
        const response = await posted;
        assert.deepEqual([response.status, (await response.json()).error.code], [status, code]);
      });
    }
  });
}

test('no address and no key leaves by an error, neither to the client nor into the log', async (t) => {
  const secret = 'sk-123 https://model.internal/v1?key=sk-123';
  const cause = Object.assign(new Error(secret), { code: 'ECONNREFUSED' });
  const errors = [
    new TypeError(secret, { cause }),
    new ModelError(401, { headers: new Headers({ 'x-info': secret }), code: secret }),
    new ModelError(429, { headers: new Headers({ 'x-info': secret }), code: 'sk-123' }),
    secret,
    undefined,
  ];
  for (const error of errors) {
    await t.test(typeof error, async (t) => {
      const { response, body, logged } = await one(t, failing(error));
      const told = JSON.stringify([...response.headers]) + JSON.stringify(body) + logged.join();
      assert.doesNotMatch(told, /sk-123|internal|https:\/\/model/);
      assert.match(logged[0], /^error: ask: the model gave no answer: /);
      assert.ok(body.error.message);
    });
  }
});

// ---- CORS

const withKeys = (change) => ({ keys: { ...memoryKeys(), ...change } });
const answers = {
  200: [readyModel()],
  400: [readyModel(), {}, 'no JSON'],
  409: [readyModel(), withKeys({ begin: async () => ({ state: 'running' }) })],
  422: [readyModel(), withKeys({ begin: async () => ({ state: 'other-body' }) })],
  429: [failing(new ModelError(429))],
  500: [failing(new ModelError(500))],
  502: [failing(new TypeError('fetch failed'))],
  503: [failing(new ModelError(503))],
  'replayed 200': [readyModel(), withKeys({ begin: async () => ({ state: 'answered', answer: { status: 200, jsonBody: ANSWER } }) })],
  '500 for a fault of the function': [readyModel(), withKeys({ begin: async () => Promise.reject(new Error('down')) })],
};
for (const [what, [model, options, body = QUESTION]] of Object.entries(answers)) {
  test(`a ${what} can be read by the page`, async (t) => {
    const { post } = await functionApp(t, model, options);
    const response = await post({ 'idempotency-key': 'k' }, body);
    assert.equal(response.status, Number(what.match(/\d+/)[0]));
    assert.equal(response.headers.get('access-control-allow-origin'), PAGE);
    assert.equal(response.headers.get('vary'), 'Origin');
    assert.equal(response.headers.get('request-id'), 'call-1');
    const exposed = names(response, 'access-control-expose-headers');
    for (const name of ['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms', 'ratelimit', 'ratelimit-policy', 'x-should-retry',
      'x-ratelimit-limit-requests', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens', 'request-id', 'x-ms-request-id',
      'apim-request-id', 'idempotency-replayed']) {
      assert.ok(exposed.includes(name), `${name} is not exposed`);
    }
    assert.ok(exposed.every((name) => /^[a-z-]+$/.test(name)), 'a * would be taken literally');
  });
}

test('a preflight names the headers that the client may send, and asks no model', async (t) => {
  const model = readyModel();
  const { post } = await functionApp(t, model);
  const response = await post({}, undefined, 'OPTIONS');
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('access-control-allow-origin'), PAGE);
  assert.deepEqual(names(response, 'access-control-allow-headers'), ['content-type', 'authorization', 'idempotency-key', 'x-deadline-ms']);
  assert.deepEqual(names(response, 'access-control-allow-methods'), ['POST', 'OPTIONS']);
  assert.equal(model.calls.length, 0);
});

test('each page of the list may ask, and sees its own name; whoever is no page may ask, too', async (t) => {
  const other = 'https://fabrikam.sharepoint.com';
  const { url } = await functionApp(t, readyModel(), { origins: [PAGE, other] });
  for (const origin of [PAGE, other, undefined]) {
    const response = await fetch(url, { method: 'POST', body: QUESTION, headers: origin && { origin } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), origin ?? null);
  }
});

for (const origin of ['https://evil.example', `${PAGE}.evil.example`, 'null']) {
  for (const method of ['POST', 'OPTIONS']) {
    test(`a ${method} from ${origin} is refused before anything is paid for`, async (t) => {
      const model = readyModel();
      const { post } = await functionApp(t, model);
      const response = await post({ origin }, QUESTION, method);
      assert.equal(response.status, 403);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      assert.equal(model.calls.length, 0);
    });
  }
}
