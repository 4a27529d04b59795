// A stream of a megabyte, read by `streamAi` and `readAiResult`, crossing into the wasm included, beside a parser of events
// with `JSON.parse`, in chunks of three sizes. What the browser itself takes for the chunks is in all of them.

import { createParser } from '/bench/peers/node_modules/eventsource-parser/dist/index.js';
import { engine, readAiResult, ready, streamAi } from '/pkg/index.mjs';
import { compare } from '../compare.mjs';
import { answer, chatStream } from './chat_stream.mjs';
import { peer } from './peer.mjs';

const SIZES = [64, 1024, 16384];
const ROUNDS = 25;

export default async function run() {
  await ready();
  if (engine() !== 'wasm') throw new Error(`engine ${engine()}`);
  const { bytes, text } = chatStream();
  const same = (read) => async (response) => {
    if ((await read(response)) !== text) throw new Error('another text');
  };
  const ways = {
    'eventsource-parser + JSON.parse': same((response) => peer(createParser, response)),
    streamAi: same(async (response) => {
      let said = '';
      const stream = streamAi(response);
      for await (const piece of stream) said += piece;
      return (await stream.result).outcome === 'complete' ? said : undefined;
    }),
    readAiResult: same(async (response) => (await readAiResult(response)).text),
  };
  const groups = [];
  for (const size of SIZES) {
    const results = await compare({ ways, prepare: () => answer(bytes, size), count: bytes.length / 1000, rounds: ROUNDS });
    groups.push({ title: `chunks of ${size} bytes`, results });
  }
  return groups;
}
