// Addresses that a page tells apart by their origins or by the names of their endpoints.

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'ri', 'so', 'tu'];

/** A word for each number: an address's numbers are no part of its endpoint's name. */
const word = (n) => [...String(n).padStart(4, '0')].map((digit) => SYLLABLES[digit]).join('');

const numbered = (count, make) => Array.from({ length: count }, (_, n) => make(word(n)));

export const placesOnOneOrigin = (count) => numbered(count, (name) => `https://contoso.example/api/${name}`);

export const placesOnOrigins = (count) => numbered(count, (name) => `https://${name}.example/api/items`);
