import axios from 'axios';
import axiosRetry from 'axios-retry';

export const peer = { name: 'axios + axios-retry', gives: 'JSON', repeats: true, changed: '`adapter` fetch instead of XMLHttpRequest' };

export function make(fetch) {
  const api = axios.create({ adapter: 'fetch', env: { fetch, Request, Response } });
  axiosRetry(api);
  return async (url) => (await api.get(url)).data;
}
