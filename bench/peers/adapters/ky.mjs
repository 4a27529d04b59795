import ky from 'ky';

export const peer = { name: 'ky', gives: 'Response', repeats: true };

export function make(fetch) {
  const api = ky.create({ fetch });
  return (url) => api(url);
}
