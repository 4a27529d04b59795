// A consumer that TypeScript compiles to CommonJS.

import steadfetch = require('steadfetch');

export const response: Promise<Response> = steadfetch.spFetch('/_api/web', { maxRetries: 1 });
export const status = (error: unknown): number | null => (steadfetch.isSteadError(error) ? error.status : null);

import timing = require('steadfetch/user-timing');

export const end: () => void = timing.measureWithUserTiming();
