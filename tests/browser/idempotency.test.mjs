// One key for one call, the same on every attempt, so that a careful back end asks its model once. On another origin the
// key costs a preflight, so there it must be asked for.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, createAiFetch, getCallInfo, spFetch } from '/pkg/index.mjs';
import { virtualTime } from './clocks.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';

const POST = { method: 'POST', body: 'x', backoff: { baseMs: 1 } };
const HINT = { 'retry-after-ms': 1 };
const FAIL_TWICE = [{ status: 503, headers: HINT, times: 2 }];
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const keys = (requests, header = 'idempotency-key') => requests.map(({ headers }) => headers[header]);

describe('an idempotency key', () => {
  it('is on by default on the own origin, and the same on every attempt of a call', async () => {
    const server = await lab(FAIL_TWICE);
    const response = await aiFetch(server.here(MODEL), POST);
    const key = getCallInfo(response).idempotencyKey;
    expect(key).to.match(UUID_4);
    expect(keys(await server.requests())).to.deep.equal([key, key, key]);
    await aiFetch(server.here(MODEL), POST);
    const [, , , next] = keys(await server.requests());
    expect(next).to.match(UUID_4).and.not.equal(key);
  });

  it('is off by default on another origin, so that no preflight is needed', async () => {
    const server = await lab({ steps: FAIL_TWICE, cors: { expose: ['retry-after-ms'] } });
    const response = await aiFetch(server.elsewhere(MODEL), POST);
    expect(getCallInfo(response).idempotencyKey).to.equal(null);
    const { requests, preflights } = await server.account();
    expect(keys(requests)).to.deep.equal([undefined, undefined, undefined]);
    expect(preflights).to.equal(0);
  });

  it('is sent to another origin if asked for, after a preflight, and the same on every attempt', async () => {
    const cors = { expose: ['retry-after-ms'], allowHeaders: ['idempotency-key'] };
    const server = await lab({ steps: FAIL_TWICE, cors });
    const response = await createAiFetch({ idempotencyKey: true })(server.elsewhere(MODEL), POST);
    expect(response.status).to.equal(200);
    const key = getCallInfo(response).idempotencyKey;
    expect(key).to.match(UUID_4);
    expect(keys(await server.requests())).to.deep.equal([key, key, key]);
    expect((await server.account()).preflights).to.equal(3);
  });

  it('may be the caller\'s own, under a name of its own', async () => {
    const server = await lab(FAIL_TWICE);
    const own = { idempotencyKey: 'order-17', idempotencyHeader: 'X-Request-Key' };
    const response = await aiFetch(server.here(MODEL), { ...POST, ...own });
    expect(getCallInfo(response).idempotencyKey).to.equal('order-17');
    const requests = await server.requests();
    expect(keys(requests, 'x-request-key')).to.deep.equal(['order-17', 'order-17', 'order-17']);
    expect(keys(requests)).to.deep.equal([undefined, undefined, undefined]);
  });

  for (const method of ['GET', 'get', 'HEAD']) {
    it(`is never sent with ${method}, even if asked for`, async () => {
      const server = await lab(FAIL_TWICE);
      const response = await aiFetch(server.here(MODEL), { method, backoff: POST.backoff, idempotencyKey: 'order-17' });
      expect(response.status).to.equal(200);
      expect(getCallInfo(response).idempotencyKey).to.equal(null);
      expect(keys(await server.requests())).to.deep.equal([undefined, undefined, undefined]);
    });
  }

  it('is not sent by spFetch', async () => {
    const server = await lab();
    await spFetch(server.here(ITEMS), { method: 'POST', body: '{}', idempotencyKey: 'order-17' });
    expect(keys(await server.requests())).to.deep.equal([undefined]);
  });
});

describe('a call that is still running', () => {
  // The first answer is lost on the way, but the model goes on with its work.
  const LOST = { steps: [{ drop: 'rst-mid-headers', apply: true }], model: { workMs: 400, idempotency: true } };

  it('is polled with the same key, and the model is asked once', async () => {
    const server = await lab({ ...LOST, headers: { 'retry-after-ms': 100 } });
    const reasons = [];
    const response = await aiFetch(server.here(MODEL), { ...POST, onRetry: ({ reason }) => reasons.push(reason) });
    expect(response.status).to.equal(200);
    expect(response.headers.get('idempotency-replayed')).to.equal('true');
    const { modelCalls, requests } = await server.account();
    expect(modelCalls).to.equal(1);
    expect(new Set(keys(requests)).size).to.equal(1);
    expect(reasons).to.deep.equal(['network', ...reasons.slice(1).fill('still-running')]);
    // More often than a failure may be repeated: a poll is not a repeat.
    expect(requests.length).to.be.above(3);
    expect(getCallInfo(response).attempts).to.have.length(requests.length);
  });

  it('is polled without a hint after 2 s, 3 s, 4.5 s …, until the deadline leaves no time', async () => {
    const server = await lab({ ...LOST, model: { workMs: 86_400_000, idempotency: true } });
    const clock = virtualTime();
    const waits = [];
    const onRetry = ({ delayMs }) => {
      waits.push(delayMs);
      clock.tickAsync(Math.ceil(delayMs));
    };
    const response = await aiFetch(server.here(MODEL), { ...POST, onRetry, timeout: 30_000 });
    expect(response.status).to.equal(409);
    expect(waits.slice(1)).to.deep.equal([2000, 3000, 4500, 6750]);
    expect(getCallInfo(response).stop).to.equal('wait-exceeds-time-left');
    expect((await server.account()).modelCalls).to.equal(1);
  });

  it('counts as one from the first attempt on if the caller chose the key', async () => {
    const server = await lab({ model: { workMs: 300, idempotency: true }, headers: { 'retry-after-ms': 50 } });
    const own = { ...POST, idempotencyKey: 'order-17' };
    const [first, second] = await Promise.all([aiFetch(server.here(MODEL), own), aiFetch(server.here(MODEL), own)]);
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect((await server.account()).modelCalls).to.equal(1);
  });

  it('is not what a 409 to a new key means, nor a 422', async () => {
    const server = await lab([{ status: 409, headers: HINT }, { status: 422, headers: HINT }]);
    for (const status of [409, 422]) {
      const response = await aiFetch(server.here(MODEL), POST);
      expect(response.status).to.equal(status);
      expect(getCallInfo(response)).to.include({ stop: 'final-status' }).and.have.property('attempts').with.length(1);
    }
  });
});
