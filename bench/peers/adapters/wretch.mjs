import wretch from 'wretch';
import { retry } from 'wretch/middlewares/retry';

export const peer = { name: 'wretch', gives: 'Response', repeats: true };

export function make(fetch) {
  const api = wretch().fetchPolyfill(fetch).middlewares([retry()]);
  return (url) => api.get(url).res();
}
