// SPFx's Jest reads lib-commonjs as it is, in jsdom, which has no fetch: steadfetch's CommonJS entry, and answers that are
// plain objects.

import { aiFetch, engine, resetPageState, spFetch } from 'steadfetch';
import { summaryOf, titlesOf } from './orders';

const answer = (status: number, body: unknown): unknown => ({
  status,
  ok: status === 200,
  headers: { get: (name: string) => (name === 'retry-after-ms' ? '1' : null) },
  json: () => Promise.resolve(body),
});

/** Puts a `fetch` that answers so, one after the other, in the place of the page's. */
function answering(...answers: unknown[]): jest.Mock {
  const fetch = jest.fn(() => Promise.resolve(answers.shift()));
  Object.assign(globalThis, { fetch });
  return fetch;
}

beforeEach(resetPageState);

it('the engine is that of most browsers', async () => {
  answering(answer(200, { value: [] }));
  await titlesOf(spFetch, '/_api/web/lists');
  expect(engine()).toBe('wasm');
});

it('a throttled list is read again', async () => {
  const fetch = answering(answer(429, {}), answer(200, { value: [{ Title: 'Pens' }] }));
  expect(await titlesOf(spFetch, '/_api/web/lists')).toEqual(['Pens']);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('a model that was busy for a moment is asked again', async () => {
  const fetch = answering(answer(503, {}), answer(200, { answer: 'All is well.' }));
  expect(await summaryOf(aiFetch, '/api/ask', ['Pens'])).toBe('All is well.');
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('a write that was throttled is not sent again', async () => {
  const fetch = answering(answer(429, {}));
  expect((await spFetch('/_api/web/lists', { method: 'POST', body: '{}' })).status).toBe(429);
  expect(fetch).toHaveBeenCalledTimes(1);
});
