// By default it repeats nothing; retries and circuit are those of its README.

import createClient from '@fetchkit/ffetch';

export const peer = { name: 'ffetch', gives: 'Response', repeats: true, changed: '`retries` 3, `circuit` 5 failures, 30 s' };

export const make = (fetch) => createClient({ fetchHandler: fetch, retries: 3, circuit: { threshold: 5, reset: 30_000 } });
