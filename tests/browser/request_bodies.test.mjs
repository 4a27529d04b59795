// Every kind of body arrives as fetch sends it, on every attempt, if it can be sent more than once. The server's log of a
// plain fetch is the measure.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo, spFetch } from '/pkg/index.mjs';
import { MODEL, lab } from './lab.mjs';

const SOON = { baseMs: 1 };
const FAIL_TWICE = [{ status: 503, headers: { 'retry-after-ms': 1 }, times: 2 }];
const BYTES = new Uint8Array([0, 1, 127, 195, 188, 255]);

/** Bodies, made anew for each use: some of them can be used once only. */
const BODIES = {
  'a string': () => 'Grüße 😀',
  URLSearchParams: () => new URLSearchParams({ a: '1 2', b: 'ü' }),
  FormData: () => form(),
  'a Blob with a type': () => new Blob([BYTES], { type: 'image/png' }),
  'a Blob without a type': () => new Blob(['text']),
  'an ArrayBuffer': () => BYTES.slice().buffer,
  'a typed array': () => BYTES.subarray(1, 5),
  'a DataView': () => new DataView(BYTES.buffer, 2, 3),
  'an empty string': () => '',
  nothing: () => undefined,
};

function form() {
  const form = new FormData();
  form.append('field', 'Grüße');
  form.append('file', new Blob([BYTES], { type: 'image/png' }), 'a.png');
  return form;
}

/** What arrived, without the boundary of a form: it differs, even in length, from one encoding to the next. */
function arrived({ method, headers, body, bodyBytes }) {
  const type = headers['content-type'];
  const [, boundary] = /boundary=(.+)/.exec(type) || [];
  if (boundary === undefined) return { method, type, length: headers['content-length'], body, bodyBytes };
  const parts = body.split(boundary);
  return { method, type: type.split(boundary), parts, bytes: bodyBytes - (parts.length - 1) * boundary.length };
}

for (const [name, body] of Object.entries(BODIES)) {
  describe(`a request with ${name} as its body`, () => {
    for (const [kind, given] of [
      ['in init', (url) => [url, { method: 'POST', body: body() }]],
      ['in a Request', (url) => [new Request(url, { method: 'POST', body: body() }), {}]],
    ]) {
      it(`${kind} arrives the same on every attempt of aiFetch`, async () => {
        const server = await lab(FAIL_TWICE);
        const [input, init] = given(server.here(MODEL));
        const response = await aiFetch(input, { ...init, backoff: SOON });
        expect(response.status).to.equal(200);
        await fetch(...given(server.here(MODEL)));
        const [first, second, third, plain] = (await server.requests()).map(arrived);
        expect(plain.method).to.equal('POST');
        expect([first, second, third]).to.deep.equal([plain, plain, plain]);
      });

      it(`${kind} arrives the same from spFetch`, async () => {
        const server = await lab();
        await spFetch(...given(server.here(MODEL)));
        await fetch(...given(server.here(MODEL)));
        const [ours, plain] = (await server.requests()).map(arrived);
        expect(ours).to.deep.equal(plain);
      });
    }
  });
}

describe('a request with a stream as its body', () => {
  const stream = () => new Blob(['piece by piece']).stream();

  it('is sent once, and the transport gets the stream itself', async () => {
    const body = stream();
    const sent = [];
    const fetch = async (_, init) => {
      sent.push(await new Response(init.body).text());
      return new Response('', { status: 503, headers: { 'retry-after-ms': '1' } });
    };
    const response = await aiFetch(MODEL, { method: 'POST', body, duplex: 'half', fetch });
    expect(sent).to.deep.equal(['piece by piece']);
    expect(getCallInfo(response).stop).to.equal('body-not-replayable');
  });

  it('ends as a plain fetch does in this browser, after one attempt', async () => {
    const server = await lab({ steps: FAIL_TWICE, then: 'repeat' });
    const init = () => ({ method: 'POST', body: stream(), duplex: 'half' });
    // HTTP/1.1 takes no stream from Chromium, which fails before it sends; others send it, or what they take it for.
    const told = async (call) => call.then(({ status }) => status, (error) => error.name);
    const plain = await told(fetch(server.here(MODEL), init()));
    const before = (await server.requests()).map(arrived);
    let attempts;
    const onDone = (info) => (attempts = info.attempts.length);
    expect(await told(aiFetch(server.here(MODEL), { ...init(), onDone }))).to.equal(plain);
    expect(attempts).to.equal(1);
    expect((await server.requests()).slice(before.length).map(arrived)).to.deep.equal(before);
  });

  it('in a Request that was used already is refused by the platform, after one attempt', async () => {
    const server = await lab();
    const request = new Request(server.here(MODEL), { method: 'POST', body: 'x' });
    await request.text();
    const error = await aiFetch(request, { backoff: SOON }).catch((error) => error);
    expect(error).to.be.instanceOf(TypeError);
    expect(getCallInfo(error).attempts).to.have.length(1);
    expect(await server.requests()).to.be.empty;
  });
});
