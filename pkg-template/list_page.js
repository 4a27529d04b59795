// One page of a SharePoint list: its items, and the address of the next page. All three dialects:
//
//   odata=nometadata          { "value": […], "odata.nextLink": "https://…" }
//   odata-version: 4.0        { "value": […], "@odata.nextLink": "https://…" }
//   odata=verbose             { "d": { "results": […], "__next": "https://…" } }, old ones { "d": […] }

import { addressOf } from './snippets/request.js';

/** `{ items, link }`, or a string that says what is wrong. */
export function takePage(body) {
  if (typeof body !== 'object' || body === null) return 'the answer is no list';
  // A list that is streamed may end in an error: the status was sent long before.
  if (body.error || body['odata.error']) return 'the list ends in an error';
  const { value, d } = body;
  const items = [value, d, d && d.results].find(Array.isArray);
  if (!items) return 'the answer is no list';
  const links = [body['odata.nextLink'], body['@odata.nextLink'], d && d.__next].filter((link) => link !== undefined && link !== null);
  return { items, link: links[0] };
}

/**
 * The way from page to page, beginning at this address. It is a function that takes a link and gives the absolute
 * address of the `next` page; or, in `wrong`, why the link is not followed.
 */
export function trail(start) {
  let here = parsed(start);
  const seen = new Set(here && [here.href]);
  return (link) => {
    const next = here && typeof link === 'string' ? parsed(link, here.href) : undefined;
    if (!next) return { wrong: 'the address of the next page is none' };
    // A token for one site is not for another, and what another one answers is not this list.
    if (!isSite(next) || next.origin !== here.origin) return { wrong: 'the next page is on another origin' };
    if (seen.has(next.href)) return { wrong: 'the pages lead in a circle' };
    seen.add(next.href);
    here = next;
    return { next: next.href };
  };
}

/** No `blob:` of a site, and nobody's name and password. */
const isSite = ({ protocol, username, password }) => /^https?:$/.test(protocol) && !username && !password;

/** Whether an answer came, after redirects, from another origin than it was asked for at. Mocks may not say. */
export function isElsewhere(asked, answered) {
  const [from, to] = [parsed(asked), answered ? parsed(answered) : undefined];
  return from !== undefined && to !== undefined && from.origin !== to.origin;
}

function parsed(address, base) {
  try {
    const found = addressOf(address, base);
    found.hash = '';
    return found;
  } catch (_) {
    return undefined;
  }
}
