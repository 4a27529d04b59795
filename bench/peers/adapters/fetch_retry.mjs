// By default it repeats network failures only.

import fetchRetry from 'fetch-retry';

export const peer = { name: 'fetch-retry', gives: 'Response', repeats: true, changed: '`retryOn` 429, 502, 503, 504; `retryDelay` 0.5 s' };

export const make = (fetch) => fetchRetry(fetch, { retryOn: [429, 502, 503, 504], retryDelay: 500 });
