// What the library says, beside what the server saw: two accounts of one run that nobody copied from each other.

import { element } from './element.js';
import { count, duration, ending } from './words.js';

/** One card per account. */
export function evidence({ scene, lanes: [ours, helper] }) {
  return [
    card('The library says', '`getCallInfo`', librarySays(ours)),
    card('The server saw', helper ? 'its log, with steadfetch' : 'its log', serverSaw(ours, scene)),
    ...(helper ? [card('The server saw', 'its log, with the usual helper', serverSaw(helper, scene))] : []),
  ];
}

function card(title, from, content) {
  const source = element('p', { class: 'card-from' }, from.replaceAll('`', ''));
  return element('section', { class: 'card' }, element('h4', {}, title), source, ...content);
}

function librarySays({ seen: { info }, calls }) {
  const sent = calls.reduce((sum, { info }) => sum + info.attempts.length, 0);
  const facts = [
    calls.length > 1 && ['calls', `${calls.length}; of the first:`],
    ['stop', info.stop],
    ['ended with', info.attempts.length ? ending(info.attempts.at(-1)) : 'nothing sent'],
    ['waited', duration(info.waitedMs)],
    info.retryAfterMs !== null && ['server asked for', duration(info.retryAfterMs)],
    info.retryAfterHidden && ['retryAfterHidden', 'true'],
    info.page && ['page', info.page],
    info.rateLimit && ['rateLimit', `${info.rateLimit.remaining} of ${info.rateLimit.limit} left`],
    info.idempotencyKey && ['idempotencyKey', short(info.idempotencyKey)],
  ].filter(Boolean);
  const list = facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return [figure(sent, 'attempt'), element('dl', { class: 'facts' }, ...list)];
}

function serverSaw({ before, after }, { scale = 1 }) {
  const parts = [figure(after.seen, 'request'), requestList(after.requests, scale)];
  if (before.lists.Orders && after.requests.some(({ method }) => method === 'POST')) parts.push(items(before, after));
  if (after.modelCalls > 0) parts.push(modelCalls(after.modelCalls));
  return parts;
}

function figure(n, of) {
  const [number, unit] = count(n, of).split(' ');
  return element('p', { class: 'figure' }, element('b', {}, number), ` ${unit}`);
}

function requestList(requests, scale) {
  const rows = requests.map((request) => {
    const key = request.headers['idempotency-key'];
    const line = `${request.method} …/${request.path.split('/').at(-1)}`;
    const at = element('span', { class: 'request-at' }, `+${duration((request.atMs - requests[0].atMs) * scale)}`);
    const what = element('span', { class: 'request-what' }, line, key && element('small', {}, ` key ${short(key)}`));
    return element('li', {}, at, what, element('b', { class: 'request-answer' }, answer(request)));
  });
  return element('ol', { class: 'requests' }, ...rows);
}

function answer({ status, outcome }) {
  if (outcome === 'reset') return 'reset';
  if (outcome === 'client-left') return status ? `${status}, client left` : 'client left';
  return `${status ?? outcome}`;
}

/** The list with the new items marked; the same title again is what a repeated write leaves behind. */
function items(before, after) {
  const known = before.lists.Orders.count;
  const titles = after.lists.Orders.items.map((item) => item.Title);
  const rows = titles.map((title, index) => {
    const state = index < known ? 'old' : titles.indexOf(title) < index ? 'twice' : 'new';
    const note = { old: '', new: ' new', twice: ' again!' }[state];
    return element('li', { 'data-state': state }, title, note && element('small', {}, note));
  });
  const counted = `List “Orders”: ${known} before, ${titles.length} after`;
  return element('div', { class: 'tally' }, element('p', {}, counted), element('ol', { class: 'items' }, ...rows));
}

function modelCalls(n) {
  const coins = Array.from({ length: n }, () => element('span', { class: 'coin' }));
  const row = element('p', { class: 'coins' }, element('span', { 'aria-hidden': 'true' }, ...coins), ` ${count(n, 'model call')}, billed`);
  return element('div', { class: 'tally' }, row);
}

const short = (key) => `${key.slice(0, 8)}…`;
