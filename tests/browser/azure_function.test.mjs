// The server's half of the bargain (www/function) as a page of another origin meets it: preflights, headers that the
// browser shows because they are exposed, and one question put to the model once.

import { expect } from '/node_modules/chai/index.js';
import { createAiFetch, getCallInfo, isSteadError } from '/pkg/index.mjs';
import { MODEL, lab } from './lab.mjs';

const aiFetch = createAiFetch({ idempotencyKey: true, deadlineHeader: 'x-deadline-ms', backoff: { baseMs: 1 } });
const POST = { method: 'POST', body: '{"question":"Why?"}', headers: { 'content-type': 'application/json' } };
const ANSWER = { answer: 'Because.', finish_reason: 'length' };
const model = { answer: { choices: [{ message: { content: ANSWER.answer }, finish_reason: ANSWER.finish_reason }] } };

const functions = new URLSearchParams(location.search).get('functions');

/** A function of its own, in front of a model that does these steps. */
async function open(steps, options) {
  const behind = await lab({ steps, model });
  const name = encodeURIComponent(JSON.stringify({ model: behind.here(MODEL), ...options }));
  const log = async () => (await fetch(`${functions}/requests/${name}`)).json();
  return {
    url: `${functions}/${name}/api/ask`,
    behind,
    modelCalls: async () => (await behind.account()).modelCalls,
    posts: async () => (await log()).filter(({ method }) => method === 'POST'),
    preflights: async () => (await log()).filter(({ method }) => method === 'OPTIONS'),
  };
}

describe('a function of another origin', () => {
  before(() => expect(functions, 'a page opened by hand has no function; use cargo xtask test browser').to.be.a('string'));

  it('answers after a preflight, with the key, the deadline and the model\'s finish reason', async () => {
    const { url, posts, preflights } = await open([]);
    expect(new URL(url).origin).to.not.equal(location.origin);
    const response = await aiFetch(url, POST);
    expect(response.type).to.equal('cors');
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.equal(ANSWER);
    const [{ headers }, ...more] = await posts();
    expect(more).to.have.length(0);
    expect(headers['idempotency-key']).to.equal(getCallInfo(response).idempotencyKey);
    expect(headers['x-deadline-ms']).to.match(/^2[45]\d\d\d\d$/);
    const [preflight] = await preflights();
    expect(preflight.headers['access-control-request-headers'].split(',')).to.include.members(['idempotency-key', 'x-deadline-ms']);
    expect(preflight.status).to.equal(204);
  });

  it('shows the page every header that it exposes', async () => {
    const headers = {
      'Retry-After': 600, 'retry-after-ms': 600_000, 'x-ms-retry-after-ms': 600_000, 'RateLimit': '"day";r=0;t=600',
      'RateLimit-Policy': '"day";q=9;w=86400', 'x-ratelimit-remaining-tokens': 0, 'x-ratelimit-limit-requests': 60,
      'x-should-retry': 'true', 'x-ms-request-id': 'm', 'apim-request-id': 'a', 'x-request-id': 'x',
    };
    const { url } = await open([{ status: 429, headers }]);
    const response = await aiFetch(url, POST);
    expect(response.status).to.equal(429);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name), name).to.equal(`${value}`);
    const info = getCallInfo(response);
    expect(info).to.include({ stop: 'wait-exceeds-time-left', retryAfterMs: 600_000, retryAfterHidden: false });
    expect(info.rateLimit).to.include({ limit: 9, remaining: 0 });
    expect(info.correlationId).to.match(/^call-\d+$/);
    const { error } = await response.json();
    expect(error.code).to.equal('rate_limit_exceeded');
  });

  it('waits out what its model asks for', async () => {
    const { url, behind } = await open([{ status: 429, headers: { 'retry-after-ms': 150 } }]);
    const response = await aiFetch(url, POST);
    expect(response.status).to.equal(200);
    const [first, second] = await behind.requests();
    expect(second.atMs - first.endedMs).to.be.at.least(149);
  });

  it('asks a slow model once: its own deadline comes first, and its 500 is read and final', async () => {
    const { url, behind, posts, modelCalls } = await open([{ hold: true, apply: true }], { ownMs: 400, minModelMs: 0 });
    const response = await aiFetch(url, { ...POST, retryStatuses: [500, 503], maxRetries: 5 });
    expect(response.status).to.equal(500);
    expect((await response.json()).error.code).to.equal('model_too_slow');
    expect(getCallInfo(response).stop).to.equal('vetoed');
    await behind.until(({ requests }) => requests[0].outcome === 'client-left'); // the model call was aborted
    expect(await posts()).to.have.length(1);
    expect((await behind.requests()).length).to.equal(1);
    expect(await modelCalls()).to.equal(1);
  });

  it('answers before the client\'s own deadline', async () => {
    const { url, behind } = await open([{ hold: true }], { replyMs: 1_000, minModelMs: 0 });
    const response = await aiFetch(url, { ...POST, timeout: 1_300 }).catch((error) => error);
    expect(isSteadError(response)).to.equal(false);
    expect(response.status).to.equal(500);
    expect(await behind.requests()).to.have.length(1);
  });

  it('refuses a client whose time is nearly spent, and the model hears nothing of it', async () => {
    const { url, modelCalls } = await open([]);
    const response = await aiFetch(url, { ...POST, timeout: 5_000 });
    expect(response.status).to.equal(500);
    expect((await response.json()).error.code).to.equal('deadline_nearly_spent');
    expect(await modelCalls()).to.equal(0);
  });

  for (const [what, end] of [['the connection breaks', 'reset'], ['a gateway says 503', 503]]) {
    it(`is polled after ${what}, under the same key, and its first answer handed over`, async () => {
      const { url, behind, posts, modelCalls } = await open([{ hold: true, apply: true }], { ends: [end], pollAfterMs: 50 });
      const reasons = [];
      const onRetry = ({ reason }) => {
        reasons.push(reason);
        if (reasons.filter((polled) => polled === 'still-running').length === 2) behind.release();
      };
      const response = await aiFetch(url, { ...POST, onRetry });
      expect(response.status).to.equal(200);
      expect(response.headers.get('idempotency-replayed')).to.equal('true');
      expect(await response.json()).to.deep.equal(ANSWER);
      expect(await modelCalls()).to.equal(1);
      const keys = (await posts()).map(({ headers }) => headers['idempotency-key']);
      expect(keys.length).to.be.at.least(4);
      expect([...new Set(keys)]).to.deep.equal([getCallInfo(response).idempotencyKey]);
      expect(reasons.slice(1)).to.deep.equal(reasons.slice(1).fill('still-running'));
    });
  }
});
