// Another origin hides its headers unless it exposes them, and answers a preflight before it lets a page send more than
// a simple request.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';

const THROTTLED = { status: 429, headers: { 'Retry-After': 120, 'RateLimit-Limit': 100, 'RateLimit-Remaining': 0 } };
const SOON = { baseMs: 1 };

describe('headers of another origin', () => {
  it('that are not exposed are told as hidden, never as zero', async () => {
    const server = await lab([THROTTLED]);
    const response = await spFetch(server.elsewhere(ITEMS), { maxRetries: 0 });
    expect(response.type).to.equal('cors');
    const unread = { retryAfterMs: null, rateLimit: null, correlationId: null };
    expect(getCallInfo(response)).to.include({ retryAfterHidden: true, ...unread });
  });

  it('that are exposed are read, and a wait beyond the time left is not begun', async () => {
    const cors = { expose: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'SPRequestGuid'] };
    const server = await lab([{ ...THROTTLED, cors }]);
    const response = await spFetch(server.elsewhere(ITEMS), { timeout: 60_000 });
    const info = getCallInfo(response);
    expect(info).to.include({ stop: 'wait-exceeds-time-left', retryAfterHidden: false, retryAfterMs: 120_000 });
    expect(info.rateLimit).to.include({ limit: 100, remaining: 0 });
    expect(info.correlationId).to.match(/^00000000-/);
    expect(explain(response)).to.match(/^The server is limiting requests\..* Try again in 2 minutes\./);
    expect(await server.requests()).to.have.length(1);
  });

  it('state waits that are kept', async () => {
    const step = { status: 429, headers: { 'retry-after-ms': 250 }, cors: { expose: ['retry-after-ms'] } };
    const server = await lab([step]);
    const response = await aiFetch(server.elsewhere(MODEL), { method: 'POST', body: 'x', backoff: SOON });
    expect(response.status).to.equal(200);
    expect(getCallInfo(response).attempts[0].waitMs).to.be.within(250, 275);
    const [first, second] = await server.requests();
    expect(second.atMs - first.endedMs).to.be.at.least(249); // Firefox's clock counts whole milliseconds
  });

  it('of the own origin are never told as hidden', async () => {
    const server = await lab([{ status: 503 }]);
    const response = await spFetch(server.here(ITEMS), { maxRetries: 0 });
    expect(getCallInfo(response)).to.include({ retryAfterHidden: false, retryAfterMs: null });
  });
});

describe('a request that another origin refuses', () => {
  const failed = (call) => call.then(() => expect.fail('was answered'), (error) => error);

  it('in the preflight is a network failure: repeated, and never carried out', async () => {
    const server = await lab({ cors: { preflight: false } });
    const error = await failed(aiFetch(server.elsewhere(MODEL), { method: 'POST', idempotencyKey: true, backoff: SOON }));
    expect(error).to.be.instanceOf(TypeError);
    expect(getCallInfo(error)).to.include({ stop: 'no-retries-left' }).and.have.property('attempts').with.length(3);
    expect(await server.account()).to.include({ preflights: 3, modelCalls: 0, seen: 3 });
  });

  it('in the preflight, for a header that it does not allow, is one as well', async () => {
    const server = await lab({ cors: { allowHeaders: ['content-type'] } });
    const init = { method: 'POST', idempotencyKey: true, maxRetries: 0 };
    expect(await failed(aiFetch(server.elsewhere(MODEL), init))).to.be.instanceOf(TypeError);
    expect(await server.account()).to.include({ preflights: 1, modelCalls: 0, seen: 1 });
  });

  it('by hiding the answer is repeated once by a read of SharePoint', async () => {
    const server = await lab({ cors: false });
    const error = await failed(spFetch(server.elsewhere(ITEMS), { backoff: SOON }));
    expect(error).to.be.instanceOf(TypeError);
    expect(getCallInfo(error)).to.include({ stop: 'network' }).and.have.property('attempts').with.length(2);
    expect(await server.requests()).to.have.length(2);
    expect(explain(error)).to.match(/^The server could not be reached, refused this page \(CORS\), or you are signed out\./);
  });

  it('by hiding the answer to a write is sent once', async () => {
    const server = await lab({ cors: false });
    const error = await failed(spFetch(server.elsewhere(ITEMS), { method: 'POST', body: '{"Title":"once"}', backoff: SOON }));
    expect(error).to.be.instanceOf(TypeError);
    expect(getCallInfo(error)).to.include({ stop: 'unsafe-method' });
    const { lists, seen } = await server.account();
    expect(seen).to.equal(1);
    expect(lists.Orders.count).to.equal(1);
  });

  it('after a sign-in redirect to a host that no page may read is repeated once', async () => {
    const server = await lab({ steps: [{ redirect: 'login-elsewhere' }], then: 'repeat' });
    const error = await failed(spFetch(server.here(ITEMS), { backoff: SOON }));
    expect(error).to.be.instanceOf(TypeError);
    expect(getCallInfo(error)).to.include({ stop: 'network' }).and.have.property('attempts').with.length(2);
  });
});
