// What everything is compared with.

export const peer = { name: 'fetch', gives: 'Response', repeats: false };

export const make = (fetch) => (url) => fetch(url);
