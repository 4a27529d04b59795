// What an answer tells without being opened: pages that stand in for data, limits, and ids for a support case.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo, readRateLimit, readRetryAfter, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { replace } from './replace.mjs';

const SOON = { baseMs: 1 };

describe('a page in the place of data', () => {
  const PAGES = [
    ['a redirect to the sign-in page', { redirect: 'login' }, 'login', /^A sign-in page answered instead of data\./],
    ['a redirect to the throttling page', { redirect: 'throttle' }, 'throttle', /^SharePoint answered with its throttling page/],
    ['a page of a proxy', { page: 'html' }, 'html', /^A web page answered instead of data\./],
  ];
  for (const [name, step, page, sentence] of PAGES) {
    it(`is recognised and not repeated: ${name}`, async () => {
      const server = await lab({ steps: [step], then: 'repeat' });
      const response = await spFetch(server.here(ITEMS), { backoff: SOON });
      expect(response.status).to.equal(200);
      expect(getCallInfo(response)).to.include({ page, stop: 'final-status' }).and.have.property('attempts').with.length(1);
      expect(explain(response)).to.match(sentence);
      expect(await response.text()).to.include('<!DOCTYPE html>');
      const sent = (await server.requests()).filter(({ path }) => path.includes('/_api/'));
      expect(sent).to.have.length(1);
    });
  }

  it('is none where no data was asked for', async () => {
    const server = await lab({ steps: [{ page: 'html' }], then: 'repeat' });
    expect(getCallInfo(await spFetch(server.here('/sites/a/home.aspx')))).to.include({ page: null, stop: 'success' });
  });

  it('is one where Accept asked for JSON', async () => {
    const server = await lab({ steps: [{ page: 'html' }], then: 'repeat' });
    const response = await aiFetch(server.here(MODEL), { headers: { Accept: 'application/json' }, backoff: SOON });
    expect(getCallInfo(response)).to.include({ page: 'html', stop: 'final-status' });
    expect(await server.requests()).to.have.length(1);
  });
});

describe('the account of an answer', () => {
  it('has the id of the last answer', async () => {
    const server = await lab([{ status: 503, headers: { 'retry-after-ms': 1 } }]);
    const response = await spFetch(server.here(ITEMS));
    const { attempts, correlationId } = getCallInfo(response);
    expect(attempts.map(({ status }) => status)).to.deep.equal([503, 200]);
    expect(correlationId).to.equal(response.headers.get('SPRequestGuid')).and.match(/^0{8}-/);
  });

  it('has the id that a model\'s back end gave', async () => {
    const server = await lab();
    const response = await aiFetch(server.here(MODEL), { method: 'POST' });
    expect(getCallInfo(response).correlationId).to.equal('lab-1');
  });

  it('has the limits that were reported, and null where none were', async () => {
    const limits = { 'RateLimit-Limit': 1200, 'RateLimit-Remaining': 0, 'RateLimit-Reset': 5 };
    const server = await lab([{ headers: limits }]);
    const reported = await spFetch(server.here(ITEMS));
    const expected = { limit: 1200, remaining: 0, resetMs: 5000, policy: null };
    expect(getCallInfo(reported).rateLimit).to.deep.equal(expected);
    expect(readRateLimit(reported)).to.deep.equal(expected);
    const silent = await spFetch(server.here(ITEMS));
    expect(getCallInfo(silent).rateLimit).to.equal(null);
    expect(readRateLimit(silent)).to.equal(null);
  });

  it('keeps what the server asked for when the call gives up', async () => {
    const server = await lab([{ status: 429, headers: { 'Retry-After': 300 } }]);
    const response = await spFetch(server.here(ITEMS));
    expect(getCallInfo(response)).to.include({ stop: 'wait-exceeds-time-left', retryAfterMs: 300_000 });
    expect(readRetryAfter(response)).to.equal(300_000);
  });

  it('tells of each attempt when it was sent, how long it took and what followed', async () => {
    const server = await lab([{ status: 429, headers: { 'retry-after-ms': 100 }, delayMs: 50 }]);
    const events = [];
    let done;
    const init = { timeout: 30_000, onRetry: (event) => events.push(event), onDone: (info) => (done = info) };
    const response = await spFetch(server.here(ITEMS), init);
    const info = getCallInfo(response);
    expect(done).to.deep.equal(info);
    expect(info).to.include({ kind: 'sp', method: 'GET', stop: 'success', page: null, idempotencyKey: null });
    const [first, second] = info.attempts;
    expect(first).to.include({ status: 429, error: null, suspended: false, decision: 'retry' });
    expect(first.elapsedMs).to.be.at.least(49);
    expect(first.waitMs).to.be.within(100, 110);
    expect(first.allowedMs).to.be.within(29_000, 30_000);
    expect(second).to.include({ status: 200, waitMs: null, decision: 'success' });
    expect(second.startedMs).to.be.at.least(first.startedMs + first.elapsedMs + 99);
    expect(info.waitedMs).to.be.at.least(99).and.at.most(info.totalMs);
    expect(events).to.have.length(1);
    expect(events[0]).to.include({ attempt: 1, status: 429, retryAfterMs: 100, delayMs: first.waitMs, reason: 'throttled' });
    expect(events[0].response).to.be.instanceOf(Response);
  });
});

describe('the Response', () => {
  for (const [name, send, path] of [['spFetch', spFetch, ITEMS], ['aiFetch', aiFetch, MODEL]]) {
    it(`of ${name} is the transport's own object, unread, also after a repeat and for a failure`, async () => {
      const server = await lab([{ status: 503, headers: { 'retry-after-ms': 1 } }, {}, { status: 404 }]);
      const answers = [];
      const { fetch } = globalThis;
      replace(globalThis, 'fetch', async (...args) => {
        answers.push(await fetch(...args));
        return answers[answers.length - 1];
      });
      for (const [status, at] of [[200, 1], [404, 2]]) {
        const response = await send(server.here(path));
        expect(response).to.equal(answers[at]);
        expect(response.status).to.equal(status);
        expect(response.bodyUsed).to.equal(false);
        expect(response.body.locked).to.equal(false);
        expect(await response.json()).to.be.an('object');
      }
    });
  }

  it('of an AI failure stays unread although its error was looked into', async () => {
    const body = { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } };
    const server = await lab([{ status: 429, body }]);
    const response = await aiFetch(server.here(MODEL), { method: 'POST', backoff: SOON });
    expect(getCallInfo(response)).to.include({ stop: 'final-status' });
    expect(await server.requests()).to.have.length(1);
    expect(response.bodyUsed).to.equal(false);
    expect(await response.json()).to.deep.equal(body);
  });

  it('of HEAD, and without a body, is a success like any other', async () => {
    const server = await lab([{}, { status: 204 }]);
    const head = await spFetch(server.here(ITEMS), { method: 'HEAD' });
    expect([head.status, getCallInfo(head).stop, await head.text()]).to.deep.equal([200, 'success', '']);
    const empty = await spFetch(server.here(ITEMS), { method: 'POST', body: '{}' });
    expect([empty.status, getCallInfo(empty).stop, await empty.text()]).to.deep.equal([204, 'success', '']);
  });

  it('that `redirect: manual` or `mode: no-cors` keeps closed is no failure', async () => {
    const server = await lab({ steps: [{ redirect: 'login' }], then: 'repeat' });
    const manual = await spFetch(server.here(ITEMS), { redirect: 'manual' });
    expect([manual.type, manual.status, getCallInfo(manual).stop]).to.deep.equal(['opaqueredirect', 0, 'success']);
    const opaque = await spFetch(server.elsewhere(ITEMS), { mode: 'no-cors' });
    expect([opaque.type, opaque.status, getCallInfo(opaque).stop]).to.deep.equal(['opaque', 0, 'success']);
  });
});
