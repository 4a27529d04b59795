// What those are compared with that give parsed JSON.

export const peer = { name: 'fetch and json()', gives: 'JSON', repeats: false };

export const make = (fetch) => async (url) => (await fetch(url)).json();
