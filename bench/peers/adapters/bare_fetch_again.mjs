// The A/A control: the same a second time. What it differs by is what the machine adds.

import { make } from './bare_fetch.mjs';

export { make };
export const peer = { name: 'fetch again (A/A)', gives: 'Response', repeats: false };
