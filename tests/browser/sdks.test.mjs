// The SDKs of OpenAI and Anthropic in a page, with aiFetch in the place of fetch. tests/node/sdks.test.mjs goes further.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, getCallInfo } from '/pkg/index.mjs';
import Anthropic from '/target/browser-tests/anthropic.mjs';
import OpenAI from '/target/browser-tests/openai.mjs';
import { anthropic } from '../sdk/anthropic.mjs';
import { openai } from '../sdk/openai.mjs';
import { lab } from './lab.mjs';

const PIECES = ['Be', 'cause ', 'ünïcode 😀', '.'];
const TEXT = PIECES.join('');
const BUSY = { status: 503, headers: { 'retry-after-ms': 1 } };
const SSE = { 'content-type': 'text/event-stream' };

for (const sdk of [openai(OpenAI), anthropic(Anthropic)]) {
  describe(`the npm package ${sdk.name}`, () => {
    async function open(steps) {
      const server = await lab({ steps, model: { answer: sdk.answer(TEXT) } });
      return { server, client: sdk.client(server.here('/api'), { fetch: aiFetch }) };
    }

    it('gets one answer where aiFetch has repeated a fast 503', async () => {
      const { server, client } = await open([BUSY]);
      const { data, response } = await sdk.ask(client).withResponse();
      expect(sdk.textOf(data)).to.equal(TEXT);
      expect(getCallInfo(response).attempts.map(({ status }) => status)).to.deep.equal([503, 200]);
      expect(await server.requests()).to.have.length(2);
    });

    it('gets a stream in pieces, in their order, after a repeat', async () => {
      const { client } = await open([BUSY, { headers: SSE, chunks: sdk.events(PIECES), chunkEveryMs: 5 }]);
      const pieces = [];
      for await (const event of await sdk.stream(client)) pieces.push(sdk.pieceOf(event));
      expect(pieces.filter(Boolean)).to.deep.equal(PIECES);
    });

    it('ends a stream that never ends by itself when the page leaves it', async () => {
      const begun = PIECES.slice(0, 2);
      const { server, client } = await open([{ headers: SSE, chunks: sdk.events(begun).slice(0, -1), stall: 'mid-body' }]);
      let text = '';
      for await (const event of await sdk.stream(client)) {
        text += sdk.pieceOf(event);
        if (text === begun.join('')) break;
      }
      expect(text).to.equal(begun.join(''));
      await server.until(({ inFlight }) => inFlight === 0);
    });
  });
}
