// `normalizeUrl` through the package, crossing into the wasm included, beside a chain of regular expressions, on the same
// 200 addresses. New addresses each round: what the memo answers is measured by itself.

import { engine, normalizeUrl, ready } from '/pkg/index.mjs';
import { compare } from '../compare.mjs';
import { NEW } from './groups.mjs';
import { regexChain } from './regex_chain.mjs';

const ADDRESSES = 200, VARIANTS = 2;

/** Addresses never seen before, each in one piece, as they come from a request. */
function fresh(urls, round) {
  const made = [];
  for (let variant = 0; variant < VARIANTS; variant++) {
    for (const url of urls) made.push(`${url}${url.includes('?') ? '&' : '?'}r=${round}.${variant}.${serial++}`);
  }
  return JSON.parse(JSON.stringify(made));
}
let serial = 0;
let length = 0;

const over = (normalize) => (urls) => {
  for (const url of urls) length += normalize(url).length; // used, so that nothing is left out
};

export default async function run() {
  await ready();
  const { cases } = await (await fetch('/tests/vectors/urls.json')).json();
  const urls = [...new Set(cases.map(({ url }) => url))].filter((url) => typeof url === 'string').slice(0, ADDRESSES);
  if (engine() !== 'wasm' || urls.length !== ADDRESSES) throw new Error(`engine ${engine()}, ${urls.length} addresses`);
  const ways = { 'regular expressions': over(regexChain), normalizeUrl: over(normalizeUrl) };
  const newOnes = await compare({ ways, prepare: (round) => fresh(urls, round), count: urls.length * VARIANTS });
  for (const url of urls) normalizeUrl(url);
  const again = Array.from({ length: VARIANTS }, () => urls).flat();
  const known = await compare({ ways, prepare: () => again, count: again.length });
  const length = Math.round(urls.join('').length / urls.length);
  return [
    { title: `${NEW}, ${length} characters on average`, results: newOnes },
    { title: 'the same addresses again', results: known },
  ];
}
