// It repeats what throws, so a status must be made to.

import pRetry from 'p-retry';

export const peer = { name: 'p-retry', gives: 'Response', repeats: true, changed: '`minTimeout` 0.5 s' };

export const make = (fetch) => (url) =>
  pRetry(
    async () => {
      const response = await fetch(url);
      if (response.status >= 500) throw new Error(String(response.status));
      return response;
    },
    { minTimeout: 500 },
  );
