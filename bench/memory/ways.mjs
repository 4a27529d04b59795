// What is called again and again: the page does it, and the report judges it by its name.

/** Calls in each of so many rounds; so many in a round of the ways beside the bar. */
export const ROUNDS = 10, CALLS = 10_000, FEWER = 2_000;

/** For calls that are throttled: with the page's patience they would wait for seconds, and some would not be repeated. */
export const IMPATIENT = { maxRetries: 10, backoff: { baseMs: 1 }, coolDown: false, retryBudget: false };

export const CONTROLS = ['fetch', 'fetch again (A/A)'];

/** `of`: the function; `one` signal for all calls; one of `throttled` sends is; `places` that are called in turns. */
export const WAYS = {
  [CONTROLS[0]]: { of: 'fetch', calls: CALLS },
  [CONTROLS[1]]: { of: 'fetch', calls: CALLS },
  spFetch: { of: 'spFetch', calls: CALLS },
  aiFetch: { of: 'aiFetch', calls: CALLS },
  'spFetch, one signal': { of: 'spFetch', one: true, calls: CALLS },
  'aiFetch, one signal': { of: 'aiFetch', one: true, calls: CALLS },
  'spFetch, 1 in 10 throttled': { of: 'spFetch', one: true, throttled: 10, calls: FEWER },
  'aiFetch, 1 in 10 throttled': { of: 'aiFetch', one: true, throttled: 10, calls: FEWER },
  'spFetch, 400 endpoints': { of: 'spFetch', places: 400, calls: FEWER },
  'aiFetch, 400 endpoints': { of: 'aiFetch', places: 400, calls: FEWER },
};
