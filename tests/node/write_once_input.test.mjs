// What writeOnce takes: its options and their mistakes, bodies that may be sent twice and those that may not, and that a
// second send is what the first one was.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, answer, failure, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { isSteadError, writeOnce } = await importFresh();

const ITEMS = `${LIST}/getbytitle('Orders')/items`;
const POST = { method: 'POST', body: '{"Title":"Order 1004"}' };
const find = async () => null;

const mistakes = [
  ['find', undefined], ['find', null], ['find', 'find'], ['find', {}],
  ['maxSends', 0], ['maxSends', 11], ['maxSends', 1.5], ['maxSends', NaN], ['maxSends', '2'], ['maxSends', null],
  ['settleMs', 0], ['settleMs', -1], ['settleMs', NaN], ['settleMs', 300_001], ['settleMs', Infinity], ['settleMs', '5'],
  ['lostAnswer', 'retry'], ['lostAnswer', true], ['lostAnswer', null],
  ['method', 'GET'], ['method', 'head'], ['method', undefined],
  // What spFetch refuses is refused before anything is sent, too.
  ['maxRetries', -1], ['timeout', 0], ['signal', {}], ['fetch', 'fetch'], ['digest', 'digest'],
];

for (const [name, value] of mistakes) {
  test(`\`${name}\`: ${inspect(value)} is refused by name before anything is sent`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted();
    const error = await failure(clock, writeOnce(ITEMS, { ...POST, fetch, find, [name]: value }));
    assert.ok(isSteadError(error, 'EOPTION'), inspect(error));
    assert.ok(error.message.startsWith(`\`${name}\``), error.message);
    assert.equal(sends.length, 0);
  });
}

test('a member whose getter throws is named', async (t) => {
  const clock = virtualClock(t);
  const mine = new Error('mine');
  const error = await failure(clock, writeOnce(ITEMS, { ...POST, get find() { throw mine; } }));
  assert.ok(isSteadError(error, 'EOPTION'));
  assert.equal(error.cause, mine);
});

test('every getter is read once, on an instance of a class, too', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(answer(429), answer(201));
  const reads = {};
  const counted = (name, value) => {
    reads[name] = (reads[name] || 0) + 1;
    return value;
  };
  class Init {
    get method() { return counted('method', 'POST'); }
    get body() { return counted('body', '{}'); }
    get fetch() { return counted('fetch', fetch); }
    get find() { return counted('find', find); }
    get maxSends() { return counted('maxSends', 2); }
    get settleMs() { return counted('settleMs', 50); }
    get lostAnswer() { return counted('lostAnswer', 'stop'); }
    get timeout() { return counted('timeout', { get totalMs() { return counted('totalMs', 5_000); } }); }
  }
  const result = await finish(clock, writeOnce(ITEMS, new Init()));
  assert.deepEqual([result.status, result.sends], ['written', 2]);
  assert.deepEqual(new Set(Object.values(reads)), new Set([1]));
  assert.equal(Object.keys(reads).length, 9);
});

/** Sends, is throttled, does `meanwhile`, sends again; and gives what went out each time. */
async function sentTwice(t, input, init, meanwhile) {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(answer(429), answer(201));
  const looking = async () => meanwhile() || null;
  await finish(clock, writeOnce(input, { ...init, fetch, find: looking }));
  assert.equal(sends.length, 2);
  return Promise.all(sends.map(async ({ input, init }) => {
    const request = new Request(input, { ...init, signal: null });
    return { url: request.url, headers: Object.fromEntries(request.headers), body: await request.text() };
  }));
}

test('what the caller does to headers, address and body meanwhile is not sent', async (t) => {
  const headers = { Accept: 'application/json', 'content-type': 'x/y' };
  const url = new URL(ITEMS);
  const body = new TextEncoder().encode('before');
  const [first, second] = await sentTwice(t, url, { method: 'POST', headers, body }, () => {
    headers.Accept = 'text/html';
    url.pathname = '/elsewhere';
    body.fill(0);
  });
  assert.deepEqual([first.body, first.url], ['before', new URL(ITEMS).href]);
  assert.deepEqual(second, first);
});

test('forms are sent twice as they were', async (t) => {
  const form = new URLSearchParams({ Title: 'before' });
  const [first, second] = await sentTwice(t, ITEMS, { method: 'POST', body: form }, () => form.set('Title', 'after'));
  assert.equal(first.body, 'Title=before');
  assert.deepEqual(second, first);
});

test('a Request is sent twice with its body and headers', async (t) => {
  const request = new Request(ITEMS, { method: 'POST', headers: { Accept: 'application/json' }, body: 'whole' });
  const [first, second] = await sentTwice(t, request, {}, () => request.headers.set('Accept', 'text/html'));
  assert.deepEqual([first.body, first.headers.accept], ['whole', 'application/json']);
  assert.deepEqual(second, first);
});

test('headers as a function are asked for each send', async (t) => {
  let token = 0;
  const [first, second] = await sentTwice(t, ITEMS, { ...POST, headers: () => ({ token: `${++token}` }) }, () => {});
  assert.deepEqual([first.headers.token, second.headers.token], ['1', '2']);
});

test('a body that can be sent only once is sent once', async (t) => {
  const clock = virtualClock(t);
  const used = new Request(ITEMS, { method: 'POST', body: 'x' });
  const stream = () => new ReadableStream({ start: (controller) => (controller.enqueue(new Uint8Array(1)), controller.close()) });
  const { fetch, sends } = scripted(answer(429));
  const result = await finish(clock, writeOnce(ITEMS, { method: 'POST', body: stream(), duplex: 'half', fetch, find, maxSends: 5 }));
  assert.deepEqual([result.status, sends.length], ['not-applied', 1]);
  await used.text();
  assert.equal((await finish(clock, writeOnce(used, { fetch: async () => { throw new TypeError('used'); }, find }))).status, 'unknown');
});
