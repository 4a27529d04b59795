// readAll on a virtual clock: every page or an error, never a part. Many lists at once, against a real server, are read in
// read_all_faults.test.mjs.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { importFresh, importWithoutJs, withGlobals } from './fresh_package.mjs';
import { LIST, after, answer, failure, finish, noNetwork, scripted, silence, virtualClock } from './scripted_fetch.mjs';

const { explain, getCallInfo, isSteadError, readAll } = await importFresh();

const ITEMS = `${LIST}/getbytitle('Orders')/items`;
const at = (page) => `${ITEMS}?$skiptoken=${page}`;
const json = (body, headers) => () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } });
/** A page of two items in one of the dialects, the last without a link. */
const DIALECTS = {
  'odata.nextLink': (value, link) => ({ value, 'odata.nextLink': link }),
  '@odata.nextLink': (value, link) => ({ value, '@odata.nextLink': link }),
  'd.__next': (results, link) => ({ d: { results, __next: link } }),
};
const page = (from, next, dialect = 'odata.nextLink') => json(DIALECTS[dialect]([{ Id: from }, { Id: from + 1 }], next));
const ids = (items) => items.map(({ Id }) => Id);

/** The call rejects with `EPARTIALREAD` that says this of itself. */
async function isPartial(clock, call, expected, timers = 0) {
  const error = await failure(clock, call);
  assert.ok(isSteadError(error, 'EPARTIALREAD'), inspect(error));
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(error[name], value, `${name} of ${error.message}`);
  assert.equal(explain(error), 'Not everything could be read, so nothing was handed out. Try again later.');
  assert.equal(error.message.includes('contoso'), false);
  assert.equal(clock.countTimers(), timers);
  return error;
}

for (const dialect of Object.keys(DIALECTS)) {
  test(`${dialect} is followed to the end, and each page is told`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(page(1, at(2), dialect), page(3, at(3), dialect), page(5, undefined, dialect));
    const told = [];
    const items = await finish(clock, readAll(ITEMS, { fetch, onPage: (progress) => told.push(progress) }));
    assert.deepEqual(ids(items), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(sends.map(({ input }) => input), [ITEMS, at(2), at(3)]);
    assert.deepEqual(told, [{ pages: 1, items: 2 }, { pages: 2, items: 4 }, { pages: 3, items: 6 }]);
  });
}

test('a verbose list without pages, an empty page in the middle, and a link that is null', async (t) => {
  const clock = virtualClock(t);
  const pages = scripted(json({ d: [{ Id: 1 }] }));
  assert.deepEqual(ids(await finish(clock, readAll(ITEMS, { fetch: pages.fetch }))), [1]);
  const holes = scripted(page(1, at(2)), json({ value: [], 'odata.nextLink': at(3) }), json({ value: [{ Id: 9 }], 'odata.nextLink': null }));
  assert.deepEqual(ids(await finish(clock, readAll(ITEMS, { fetch: holes.fetch }))), [1, 2, 9]);
});

test('each page is asked for with the same headers, options and credentials, as they were at the beginning', async (t) => {
  const clock = virtualClock(t);
  const headers = { Accept: 'application/json' };
  const { fetch, sends } = scripted(page(1, at(2)), page(3));
  await finish(clock, readAll(ITEMS, { fetch, headers, credentials: 'include', newMember: 7, onPage: () => (headers.Accept = 'text/html') }));
  for (const { init, headers } of sends) {
    assert.deepEqual([headers.get('Accept'), init.credentials, init.newMember], ['application/json', 'include', 7]);
    assert.equal('onPage' in init, false);
  }
  const request = new Request(ITEMS, { headers: { token: 'a' }, credentials: 'include', cache: 'no-store' });
  const again = scripted(page(1, at(2)), page(3));
  await finish(clock, readAll(request, { fetch: again.fetch, onPage: () => request.headers.set('token', 'b') }));
  const sent = again.sends.map(({ input, init }) => [input.url, new Request(input, init)]);
  assert.deepEqual(sent.map(([url, { credentials, cache, headers }]) => [url, credentials, cache, headers.get('token')]), [
    [request.url, 'include', 'no-store', 'a'],
    [new URL(at(2)).href, 'include', 'no-store', 'a'],
  ]);
});

test('a link may be relative to its page', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(page(1, '?$skiptoken=2'), page(3));
  await finish(clock, readAll(ITEMS, { fetch }));
  assert.equal(sends[1].input, `${ITEMS}?$skiptoken=2`);
});

test('a page that fails and heals is read after the stated wait', async (t) => {
  const clock = virtualClock(t);
  const reader = scripted(page(1, at(2)), answer(429, { 'Retry-After': '3' }), noNetwork(), page(3));
  assert.deepEqual(ids(await finish(clock, readAll(ITEMS, { fetch: reader.fetch }))), [1, 2, 3, 4]);
  assert.deepEqual(reader.at(), [0, 0, 3_000, 3_000]);
});

test('a page that stays throttled ends it, with counts, status, wait and the answer, unread', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(page(1, at(2)), answer(429, { 'Retry-After': '200' }, 'slow down'));
  const error = await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2, status: 429, retryAfterMs: 200_000 });
  assert.equal(await error.cause.text(), 'slow down');
  assert.equal(getCallInfo(error.cause).stop, 'wait-exceeds-time-left');
});

for (const status of [201, 202, 204, 206, 301, 400, 401, 403, 404, 500, 502, 504]) {
  test(`status ${status} is no page`, async (t) => {
    const clock = virtualClock(t);
    const body = status === 204 ? null : JSON.stringify({ value: [{ Id: 3 }] });
    const { fetch } = scripted(page(1, at(2)), answer(status, { 'content-type': 'application/json' }, body));
    await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2, status });
  });
}

test('a permission probe that was throttled is an error, not "no"', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(...new Array(4).fill(answer(429)));
  await isPartial(clock, readAll(`${LIST}/getbytitle('Orders')/roleassignments`, { fetch }), { pages: 0, items: 0, status: 429 });
});

test('a network failure is the cause, and so is what `headers` threw', async (t) => {
  const clock = virtualClock(t);
  const reader = scripted(page(1, at(2)), noNetwork(), noNetwork());
  const lost = await isPartial(clock, readAll(ITEMS, { fetch: reader.fetch }), { pages: 1, items: 2, status: null });
  assert.equal(lost.cause.message, 'Failed to fetch');
  const mine = new Error('no token');
  const tokens = [() => ({ token: '1' }), () => { throw mine; }];
  const { fetch } = scripted(page(1, at(2)));
  const thrown = await isPartial(clock, readAll(ITEMS, { fetch, headers: () => tokens.shift()() }), { pages: 1, status: null });
  assert.equal(thrown.cause, mine);
});

test('HTML with status 200 is no page, and the answer is at hand', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(page(1, at(2)), answer(200, { 'content-type': 'text/html' }, '<html>'));
  const { cause } = await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2, status: 200 });
  assert.deepEqual([getCallInfo(cause).page, await cause.text()], ['html', '<html>']);
});

const NO_LISTS = {
  'an item': { Id: 1, Title: 'Order 1' },
  'a list under another name': { results: [{ Id: 1 }] },
  'a bare array': [{ Id: 1 }],
  'a value that is no array': { value: { Id: 1 } },
  'a verbose item': { d: { Id: 1 } },
  null: null,
  'a string': '"value"',
  'HTML that says it is JSON': '<html>',
  'half a body': '{"value":[{"Id":1},',
  nothing: '',
  'a list that ends in an error': { value: [{ Id: 1 }], error: { code: '-1', message: 'Throttled' } },
  'a list that ends in an older error': { value: [{ Id: 1 }], 'odata.error': { code: '-1' } },
};

for (const [what, body] of Object.entries(NO_LISTS)) {
  test(`${what} is no page, be it the first or the last`, async (t) => {
    const clock = virtualClock(t);
    await isPartial(clock, readAll(ITEMS, { fetch: scripted(json(body)).fetch }), { pages: 0, items: 0, status: 200 });
    const { fetch } = scripted(page(1, at(2)), json(body));
    await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2, status: 200 });
  });
}

const WRONG_LINKS = {
  'to another host': 'https://fabrikam.sharepoint.com/_api/web/lists',
  'to another scheme': at(2).replace('https:', 'http:'),
  'to another port': at(2).replace('.com', '.com:8443'),
  'to a host that only begins alike': at(2).replace('.com', '.com.evil.example'),
  'without a scheme': '//fabrikam.sharepoint.com/x',
  'to data': 'data:application/json,{"value":[]}',
  'back to the beginning': ITEMS,
  'back to the beginning, with a fragment': `${ITEMS}#again`,
  'to itself, empty': '',
  'that is a number': 7,
  'that is an object': { href: at(2) },
  'that is no address': 'https://:::',
};

for (const [what, link] of Object.entries(WRONG_LINKS)) {
  test(`a link ${what} is not followed, and the list is not given without the rest`, async (t) => {
    const clock = virtualClock(t);
    for (const dialect of Object.keys(DIALECTS)) {
      const { fetch, sends } = scripted(page(1, link, dialect));
      await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2 });
      assert.equal(sends.length, 1);
    }
  });
}

test('a circle of several pages is noticed', async (t) => {
  const clock = virtualClock(t);
  const { fetch, sends } = scripted(page(1, at(2)), page(3, at(3)), page(5, at(2)));
  await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 3, items: 6 });
  assert.equal(sends.length, 3);
});

test('more than maxItems is an error, not a shorter list; exactly as many are none', async (t) => {
  const clock = virtualClock(t);
  const exactly = scripted(page(1, at(2)), page(3));
  assert.equal((await finish(clock, readAll(ITEMS, { fetch: exactly.fetch, maxItems: 4 }))).length, 4);
  const more = scripted(page(1, at(2)), page(3, at(3)), page(5));
  await isPartial(clock, readAll(ITEMS, { fetch: more.fetch, maxItems: 3 }), { pages: 2, items: 4 });
});

test('what onPage throws breaks nothing', async (t) => {
  const clock = virtualClock(t);
  for (const onPage of [() => { throw new Error('mine'); }, async () => { throw new Error('mine'); }]) {
    const { fetch } = scripted(page(1, at(2)), page(3));
    assert.equal((await finish(clock, readAll(ITEMS, { fetch, onPage }))).length, 4);
  }
});

// ---- time

test('each page has 120 s, or the time that the caller gives, for its waits and its body', async (t) => {
  const clock = virtualClock(t);
  const slow = (ms) => after(ms, page(1, undefined));
  for (const [timeout, limit] of [[undefined, 120_000], [9_000, 9_000], [{ totalMs: 9_000 }, 9_000]]) {
    const began = Date.now();
    const { fetch } = scripted(after(limit - 1, page(1, at(2))), after(limit - 1, page(3, at(3))), silence());
    const error = await isPartial(clock, readAll(ITEMS, { fetch, timeout }), { pages: 2, items: 4, status: null });
    assert.ok(isSteadError(error.cause, 'ETIMEOUT'));
    assert.equal(Date.now() - began, 3 * limit - 2);
  }
  assert.equal((await finish(clock, readAll(ITEMS, { fetch: scripted(slow(500_000)).fetch, timeout: Infinity }))).length, 2);
});

test('a body that does not end is ended with its page\'s time, even where it hears no signal', async (t) => {
  const clock = virtualClock(t);
  const deaf = { status: 200, headers: new Headers(), json: () => new Promise(() => {}) };
  const stalled = () => new Response(new ReadableStream({}), { headers: { 'content-type': 'application/json' } });
  for (const step of [() => deaf, stalled]) {
    const began = Date.now();
    const { fetch } = scripted(page(1, at(2)), after(1_000, step));
    const error = await isPartial(clock, readAll(ITEMS, { fetch, timeout: 5_000 }), { pages: 1, items: 2, status: 200 });
    assert.ok(isSteadError(error.cause, 'ETIMEOUT'), inspect(error.cause));
    assert.equal(Date.now() - began, 5_000);
  }
});

test('runMs ends the whole of it, waits included, and stops the request that is under way', async (t) => {
  const clock = virtualClock(t);
  const waiting = scripted(page(1, at(2)), answer(429, { 'Retry-After': '60' }));
  const began = Date.now();
  const error = await isPartial(clock, readAll(ITEMS, { fetch: waiting.fetch, runMs: 20_000 }), { pages: 1, items: 2 });
  assert.deepEqual([Date.now() - began, isSteadError(error.cause, 'ETIMEOUT')], [20_000, true]);
  const running = scripted(page(1, at(2)), silence());
  await isPartial(clock, readAll(ITEMS, { fetch: running.fetch, runMs: 20_000 }), { pages: 1, items: 2 });
  assert.equal(running.sends[1].init.signal.aborted, true);
});

// ---- abort

const REASON = { why: 'the user left the page' };
const stalledBody = () => new Response(new ReadableStream({}), { headers: { 'content-type': 'application/json' } });
const moments = {
  'before it began': [null, [], 0],
  'during a request': [1_500, [page(1, at(2)), after(2_000, page(3))], 2],
  'during a request that does not listen': [1_500, [silence()], 1],
  'during a wait': [1_500, [page(1, at(2)), answer(429, { 'Retry-After': '60' })], 2],
  'during a body': [1_500, [page(1, at(2)), stalledBody], 2],
};

for (const [moment, [ms, steps, sent]] of Object.entries(moments)) {
  test(`aborted ${moment}, it rejects with the caller's reason and nothing is sent afterwards`, async (t) => {
    const clock = virtualClock(t);
    const controller = new AbortController();
    const { fetch, sends } = scripted(...steps);
    if (ms === null) controller.abort(REASON);
    const call = readAll(ITEMS, { fetch, signal: controller.signal });
    call.catch(() => {});
    await clock.tickAsync(ms || 0);
    controller.abort(REASON);
    assert.equal(await failure(clock, call), REASON);
    assert.equal(clock.countTimers(), 0);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    await clock.tickAsync(600_000);
    assert.equal(sends.length, sent);
  });
}

test('aborted from onPage, the next page is not asked for, even if another listener keeps the event from us', async (t) => {
  const clock = virtualClock(t);
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const { fetch, sends } = scripted(page(1, at(2)));
  const call = readAll(ITEMS, { fetch, signal: controller.signal, onPage: () => controller.abort(REASON) });
  assert.equal(await failure(clock, call), REASON);
  assert.equal(sends.length, 1);
});

test('nothing is left on the caller\'s signal after a list was read', async (t) => {
  const clock = virtualClock(t);
  const { signal } = new AbortController();
  await finish(clock, readAll(ITEMS, { fetch: scripted(page(1, at(2)), page(3)).fetch, signal, runMs: 60_000 }));
  assert.deepEqual([clock.countTimers(), getEventListeners(signal, 'abort')], [0, []]);
});

// ---- options

const mistakes = [
  ['method', 'POST'], ['method', 'HEAD'], ['onPage', 'f'], ['onPage', null], ['maxItems', -1], ['maxItems', NaN], ['maxItems', '5'],
  ['runMs', 0], ['runMs', -1], ['runMs', NaN], ['runMs', '5'], ['timeout', 0], ['signal', 7], ['maxRetries', 101],
];

for (const [name, value] of mistakes) {
  test(`\`${name}\`: ${inspect(value)} is refused by name before anything is sent`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted();
    const error = await failure(clock, readAll(ITEMS, { fetch, [name]: value }));
    assert.ok(isSteadError(error, 'EOPTION'), inspect(error));
    assert.ok(error.message.startsWith(`\`${name}\``), error.message);
    assert.equal(sends.length, 0);
  });
}

test('every getter is read once for all pages', async (t) => {
  const clock = virtualClock(t);
  const { fetch } = scripted(page(1, at(2)), page(3));
  const reads = {};
  const counted = (name, value) => ((reads[name] = (reads[name] || 0) + 1), value);
  class Init {
    get fetch() { return counted('fetch', fetch); }
    get headers() { return counted('headers', { get Accept() { return counted('Accept', 'application/json'); } }); }
    get timeout() { return counted('timeout', { get totalMs() { return counted('totalMs', 5_000); } }); }
    get onPage() { return counted('onPage', () => {}); }
    get maxItems() { return counted('maxItems', 10); }
    get runMs() { return counted('runMs', 60_000); }
  }
  assert.equal((await finish(clock, readAll(ITEMS, new Init()))).length, 4);
  assert.deepEqual(Object.values(reads), new Array(8).fill(1));
});

test('without an engine nothing is read: pages in place of data could not be told', async (t) => {
  withGlobals(t, { WebAssembly: undefined });
  t.mock.method(console, 'warn', () => {});
  const { readAll } = await importWithoutJs();
  const { fetch, sends } = scripted();
  await assert.rejects(readAll(ITEMS, { fetch }), { code: 'EENGINE' });
  assert.equal(sends.length, 0);
});

for (const [what, link] of [
  ['a blob of the same origin', `blob:${new URL(ITEMS).origin}/1f`],
  ['an address with a name and a password', ITEMS.replace('://', '://anna:secret@')],
]) {
  test(`${what} is no next page`, async (t) => {
    const clock = virtualClock(t);
    const { fetch, sends } = scripted(page(1, link));
    const error = await isPartial(clock, readAll(ITEMS, { fetch }), { pages: 1, items: 2 });
    assert.equal(error.message.includes('secret'), false);
    assert.equal(sends.length, 1);
  });
}

test('a page that a redirect fetched from another origin is none of this list', async (t) => {
  const clock = virtualClock(t);
  const redirected = (url) => () => Object.defineProperty(page(1)(), 'url', { value: url });
  const elsewhere = scripted(redirected('https://elsewhere.example/_api/web/lists'));
  await isPartial(clock, readAll(ITEMS, { fetch: elsewhere.fetch }), { pages: 0, items: 0, status: 200 });
  const here = scripted(redirected(ITEMS.replace('/sites/a', '/sites/b')));
  assert.deepEqual(ids(await finish(clock, readAll(ITEMS, { fetch: here.fetch }))), [1, 2]);
});

test('runMs ends a list whose pages come at once, and leave the timer no turn', async () => {
  let pages = 0;
  const fetch = async () => {
    if (++pages > 20_000) throw new Error('it goes on for ever');
    return { status: 200, headers: new Headers(), json: async () => ({ value: [], 'odata.nextLink': `${ITEMS}?p=${pages}` }) };
  };
  await assert.rejects(readAll(ITEMS, { fetch, runMs: 50 }), (error) => {
    assert.ok(isSteadError(error, 'EPARTIALREAD') && isSteadError(error.cause, 'ETIMEOUT'), inspect(error));
    return true;
  });
  assert.ok(pages <= 20_000, 'it was ended by the clock');
});
