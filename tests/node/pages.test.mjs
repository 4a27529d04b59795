// A page answered where data was asked for: told by final address and content type, and only where data was asked for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, pageNumber, pageOf } from '../../src/browser/page.js';

const HTML = 'text/html; charset=utf-8';
const HOST = 'https://contoso.sharepoint.com';
const answered = (url, type, { asked = `${HOST}/_api/web`, accept = '' } = {}) =>
  pageOf({ url: asked, accept, answer: { url, headers: new Map(type ? [['content-type', type]] : []) } });

test('login and throttle pages are told by their final address', () => {
  const cases = {
    [`${HOST}/_layouts/15/Throttle.htm`]: 'throttle',
    [`${HOST}/_layouts/throttle.htm#x`]: 'throttle',
    [`${HOST}/sites/a/_layouts/15/throttle.htm?x=1`]: 'throttle',
    'https://login.microsoftonline.com/common/oauth2/authorize?client_id=x': 'login',
    'https://LOGIN.live.com': 'login',
    [`${HOST}/_forms/default.aspx?ReturnUrl=%2f`]: 'login',
    [`${HOST}/_layouts/15/Authenticate.aspx?Source=x`]: 'login',
    [`${HOST}/sites/a/Shared%20Documents/throttle.htm`]: 'html',
    [`${HOST}/sites/a`]: 'html',
    'https://login.microsoftonline.com.evil.example/': 'html',
    'https://evil.example/login.microsoftonline.com/': 'html',
    'https://login.evil.example/': 'html',
    '': 'html',
  };
  for (const [url, page] of Object.entries(cases)) {
    assert.equal(answered(url, HTML), page, url);
    // A page that is known by its address is one whatever it calls itself.
    assert.equal(answered(url, 'application/json'), page === 'html' ? undefined : page, url);
  }
  assert.equal(answered(HOST, 'Application/XHTML+xml'), 'html');
});

test('a name in the query or in the data is no page', () => {
  assert.equal(answered(`${HOST}/_api/web?u=/_layouts/15/Throttle.htm`, 'application/json'), undefined);
  assert.equal(answered(`${HOST}/_api/login.microsoftonline.com/`, 'application/json'), undefined);
  assert.equal(answered(`${HOST}/_api/web`), undefined);
});

test('data is asked for by address or Accept', () => {
  const asks = (asked, accept) => answered(HOST, HTML, { asked, accept }) === 'html';
  assert.equal(asks(`${HOST}/sites/a/_API/web`), true);
  assert.equal(asks('/_vti_bin/client.svc'), true);
  assert.equal(asks('/answer', 'application/JSON;odata=nometadata'), true);
  assert.equal(asks('/sites/a/pages/home.aspx', '*/*'), false);
});

test('an answer that says neither where it came from nor what it is, is no page', () => {
  for (const answer of [{}, { url: 7, headers: null }, { get url() { throw new Error(); }, get headers() { throw new Error(); } }]) {
    assert.equal(pageOf({ url: '/_api/web', accept: '', answer }), undefined);
  }
});

test('an address of any length is read in one pass', () => {
  const url = `${HOST}${'/_layouts/15'.repeat(200_000)}`;
  const began = process.cpuUsage();
  assert.equal(answered(url, 'application/json'), undefined);
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 1_000_000, `${user + system} microseconds`);
});

test('the engine is told its place in the list', () => {
  const call = (type) => ({ url: '/_api/web', accept: '', answer: { headers: { 'content-type': type } } });
  assert.deepEqual([PAGES[pageNumber(call(HTML))], pageNumber(call('application/json'))], ['html', -1]);
});
