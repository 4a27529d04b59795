import { aiFetch, resetPageState } from '../../../pkg/index.mjs';

export const peer = { name: 'aiFetch', gives: 'Response', repeats: true };

export const make = () => (url) => aiFetch(url, { method: 'POST', body: '{}' });
export { resetPageState as forget };
