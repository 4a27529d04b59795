// What page and report call the addresses that were never seen before.

export const NEW = 'new addresses';
