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

/** The next page's address, absolute; or, in `wrong`, why it is not followed. `seen` holds the pages before. */
export function follow(link, from, seen) {
  let next;
  try {
    if (typeof link !== 'string') throw link;
    next = addressOf(link, from);
    next.hash = '';
    // A token for one site is not for another, and what another one answers is not this list.
    if (next.origin !== addressOf(from).origin || next.origin === 'null') return { wrong: 'the next page is on another origin' };
  } catch (_) {
    return { wrong: 'the address of the next page is none' };
  }
  if (seen.has(next.href)) return { wrong: 'the pages lead in a circle' };
  seen.add(next.href);
  return { next: next.href };
}
