// A page counts as one only where data was asked for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfData } from '../../src/browser/answer.js';

const answer = { url: 'https://contoso.sharepoint.com/final' };

test('data is asked for by address or Accept', () => {
  const asks = (url, accept) => addressOfData({ url, accept, answer }) !== undefined;
  assert.equal(asks('https://contoso.sharepoint.com/sites/a/_API/web', ''), true);
  assert.equal(asks('/_vti_bin/client.svc', ''), true);
  assert.equal(asks('/answer', 'application/JSON;odata=nometadata'), true);
  assert.equal(asks('/sites/a/pages/home.aspx', '*/*'), false);
});

test('an answer that does not say where it came from has no address', () => {
  assert.equal(addressOfData({ url: '/_api/web', accept: '', answer }), answer.url);
  assert.equal(addressOfData({ url: '/_api/web', accept: '', answer: {} }), '');
});
