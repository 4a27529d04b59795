// What the page's own fetch refuses before it sends anything looks like a network failure, and never heals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, failure, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, spFetch } = await importFresh();

const refused = {
  'a header name with a blank': [LIST, { headers: { 'a b': 'c' } }],
  'a mode that scripts may not use': [LIST, { mode: 'navigate' }],
  'a redirect that does not exist': [LIST, { redirect: 'bogus' }],
  'an address that is none': ['http://[', {}],
  'a method with a blank': [MODEL, { method: 'A B' }],
  'a GET with a body': [MODEL, { method: 'GET', body: 'b' }],
};

for (const [what, [input, init]] of Object.entries(refused)) {
  for (const call of [spFetch, aiFetch]) {
    test(`${what} is given to fetch once, by ${call.name}`, async (t) => {
      const clock = virtualClock(t);
      let sends = 0;
      const page = globalThis.fetch;
      withGlobals(t, { fetch: (...args) => { sends += 1; return page(...args); } });
      assert.ok((await failure(clock, call(input, init))) instanceof TypeError);
      assert.equal(sends, 1);
    });
  }
}
