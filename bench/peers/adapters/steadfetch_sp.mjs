// No repeat of it is timed: it repeats only what its server throttled, after at least a second. The path is aiFetch's.

import { resetPageState, spFetch } from '../../../pkg/index.mjs';

export const peer = { name: 'spFetch', gives: 'Response', repeats: false };

export const make = () => spFetch;
export { resetPageState as forget };
