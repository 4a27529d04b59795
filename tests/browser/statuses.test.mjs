// Which answers are asked for again, by the server's log.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, spFetch } from '/pkg/index.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';

const HINT = { 'retry-after-ms': 1 };
const READ = { backoff: { baseMs: 1 }, circuit: false };
const ASK = { method: 'POST', body: '{}', ...READ };

/** One failure and then success: what came back, how often it was sent, and the account. */
async function afterFailure(step, send, path, init) {
  const server = await lab([{ headers: HINT, ...step }]);
  const response = await send(server.here(path), init);
  const { requests, modelCalls } = await server.account();
  return { status: response.status, sent: requests.length, modelCalls, stop: getCallInfo(response).stop };
}

describe('an answer to aiFetch', () => {
  for (const status of [408, 429, 502, 503, 504, 529]) {
    it(`of ${status}, at once, is asked for again, whatever the method`, async () => {
      for (const method of ['GET', 'POST', 'PUT']) {
        const body = method === 'GET' ? undefined : 'x';
        const outcome = await afterFailure({ status }, aiFetch, MODEL, { ...READ, method, body });
        expect(outcome).to.deep.equal({ status: 200, sent: 2, modelCalls: 1, stop: 'success' });
      }
    });
  }

  for (const status of [400, 401, 403, 404, 409, 422, 500, 501, 505]) {
    it(`of ${status} is final`, async () => {
      const outcome = await afterFailure({ status }, aiFetch, MODEL, ASK);
      expect(outcome).to.deep.equal({ status, sent: 1, modelCalls: 0, stop: 'final-status' });
    });
  }

  it('of another status is asked for again if retryStatuses, shouldRetry or the server says so', async () => {
    const success = { status: 200, sent: 2, modelCalls: 1, stop: 'success' };
    expect(await afterFailure({ status: 500 }, aiFetch, MODEL, { ...ASK, retryStatuses: [500] })).to.deep.equal(success);
    expect(await afterFailure({ status: 500 }, aiFetch, MODEL, { ...ASK, shouldRetry: () => true })).to.deep.equal(success);
    const headers = { ...HINT, 'x-should-retry': 'true' };
    expect(await afterFailure({ status: 500, headers }, aiFetch, MODEL, ASK)).to.deep.equal(success);
  });

  it('is final if shouldRetry or the server says so', async () => {
    const vetoed = { status: 503, sent: 1, modelCalls: 0, stop: 'vetoed' };
    expect(await afterFailure({ status: 503 }, aiFetch, MODEL, { ...ASK, shouldRetry: () => false })).to.deep.equal(vetoed);
    const headers = { ...HINT, 'x-should-retry': 'false' };
    expect(await afterFailure({ status: 503, headers }, aiFetch, MODEL, ASK)).to.deep.equal(vetoed);
  });

  it('that states its wait in the error\'s words is waited for', async () => {
    const body = { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 120ms.' } };
    const server = await lab([{ status: 429, body }]);
    const response = await aiFetch(server.here(MODEL), ASK);
    expect(getCallInfo(response).attempts[0].waitMs).to.be.within(120, 132);
    expect(response.status).to.equal(200);
  });

  it('is final to a call that an outer layer repeats already', async () => {
    const outcome = await afterFailure({ status: 503 }, aiFetch, MODEL, { ...ASK, headers: { 'x-stainless-retry-count': '1' } });
    expect(outcome).to.include({ status: 503, sent: 1, stop: 'stacked-retries' });
  });
});

describe('an answer to a read by spFetch', () => {
  for (const status of [429, 503]) {
    it(`of ${status} is asked for again`, async () => {
      for (const method of ['GET', 'HEAD', 'get']) {
        const outcome = await afterFailure({ status }, spFetch, ITEMS, { ...READ, method });
        expect(outcome).to.include({ status: 200, sent: 2, stop: 'success' });
      }
    });
  }

  for (const status of [400, 401, 403, 404, 408, 409, 412, 423, 500, 502, 504]) {
    it(`of ${status} is final`, async () => {
      expect(await afterFailure({ status }, spFetch, ITEMS, READ)).to.include({ status, sent: 1, stop: 'final-status' });
    });
  }
});
