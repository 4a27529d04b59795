// What grows, and how far.

export const COUNTS = [1, 10, 100, 1_000, 10_000];

/** Whose memory is looked at as often, and has nothing to keep. */
export const CONTROL = 'fetch endpoints';

/** What is measured at each count, and its title: calls of so many endpoints or origins in turns. */
export const PLACES = {
  'spFetch endpoints': 'spFetch, endpoints of one origin',
  'aiFetch endpoints': 'aiFetch, endpoints of one origin',
  'spFetch origins': 'spFetch, origins',
  'aiFetch origins': 'aiFetch, origins',
};

/** So many calls under way. */
export const CALLS = {
  fetch: 'fetch',
  spFetch: 'spFetch',
  aiFetch: 'aiFetch',
  'spFetch signal': 'spFetch, all on one signal',
  'aiFetch signal': 'aiFetch, all on one signal',
};

export const key = (line, count) => `${line} ${count}`;
