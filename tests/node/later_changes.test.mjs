// A call sends what it was given when it began, as `new Request(input, init)` would: what the caller changes while it
// waits is not for this call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh } from './fresh_package.mjs';
import { LIST, MODEL, answer, finish, scripted, virtualClock } from './scripted_fetch.mjs';

const { aiFetch, getCallInfo, spFetch } = await importFresh();

for (const name of ['Headers', 'Request']) {
  test(`a method that is slipped into a ${name} during the call makes no write of its repeat`, async (t) => {
    const clock = virtualClock(t);
    const input = name === 'Request' ? new Request(LIST) : LIST;
    const headers = name === 'Request' ? input.headers : new Headers();
    const sent = [];
    const fetch = async (_, init) => {
      sent.push(new Headers((init && init.headers) || input.headers).get('X-HTTP-Method'));
      headers.set('X-HTTP-Method', 'MERGE');
      return answer(sent.length < 3 ? 503 : 200)();
    };
    const init = name === 'Request' ? { fetch } : { fetch, headers };
    const response = await finish(clock, spFetch(input, init));
    // The first send hands the caller's own Request on, read before it was changed.
    assert.deepEqual(sent, [null, null, null]);
    assert.equal(getCallInfo(response).stop, 'success');
  });
}

test('an address that is changed during the call is not where its repeat goes', async (t) => {
  const clock = virtualClock(t);
  const url = new URL(LIST);
  const { fetch, sends } = scripted(() => { url.pathname = '/elsewhere'; return answer(503)(); }, answer(200));
  await finish(clock, spFetch(url, { fetch }));
  assert.deepEqual(sends.map(({ input }) => String(input).endsWith('/elsewhere')), [true, false]);
  assert.equal(String(sends[1].input), LIST);
});

const bodies = {
  'a typed array': [() => new Uint8Array([1, 2, 3]), (body) => body.fill(9), (body) => body.join()],
  'an ArrayBuffer': [() => new Uint8Array([1, 2, 3]).buffer, (body) => new Uint8Array(body).fill(9), (body) => new Uint8Array(body).join()],
  'URLSearchParams': [() => new URLSearchParams('a=1'), (body) => body.set('a', '9'), String],
  'FormData': [
    () => { const form = new FormData(); form.append('a', '1'); return form; },
    (body) => body.set('a', '9'),
    (body) => body.get('a'),
  ],
};

for (const [name, [make, change, read]] of Object.entries(bodies)) {
  test(`${name} that is changed during the call goes out unchanged on every attempt`, async (t) => {
    const clock = virtualClock(t);
    const body = make();
    const want = read(make());
    const seen = [];
    const fetch = async (_, init) => {
      seen.push(read(init.body));
      change(body);
      return answer(seen.length < 2 ? 502 : 200)();
    };
    await finish(clock, aiFetch(MODEL, { method: 'POST', body, fetch }));
    assert.deepEqual(seen, [want, want]);
  });
}
