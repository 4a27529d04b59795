// Every body of the shared AI vectors through the built package. What the fields of a case mean stands in `about` of
// index.json; the readers themselves are proven on the host (tests/ai_answers), here it is what a page gets.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { labelOf, streamOf } from './ai_bodies.mjs';
import { importFresh } from './fresh_package.mjs';

const { readAiResult, readRetryAfter, streamAi } = await importFresh();
const FOLDER = new URL('../vectors/ai_bodies/', import.meta.url);
const CASES = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8')).cases
  .map((wanted) => ({ wanted, body: new Uint8Array(readFileSync(new URL(wanted.file, FOLDER))) }));
const isStream = ({ wanted }) => wanted.kind !== 'json' || wanted.file.startsWith('gemini-array');

const NO_BODY = [204, 205, 304];

function respond({ wanted: { status, headers } }, chunks) {
  return streamOf(chunks, { status: NO_BODY.includes(status) ? 200 : status, headers });
}

/** The response in one piece; one that may have no body has none. */
const whole = (one) => NO_BODY.includes(one.wanted.status)
  ? new Response(null, { status: one.wanted.status, headers: one.wanted.headers })
  : respond(one, [one.body]);

/** The result, and the text that the loop was given. */
async function read(response) {
  const stream = streamAi(response);
  let text = '';
  for await (const piece of stream) text += piece;
  return { result: await stream.result, text };
}

/** A header comes before the body. */
function waitOf({ headers, bodyRetryAfterMs = null }) {
  return readRetryAfter(headers) !== null ? readRetryAfter(headers) : bodyRetryAfterMs;
}

test('every body comes to its end: label, text, finish reason, partial text, may it pass, and when', async () => {
  assert.ok(CASES.length > 100);
  const retryable = { true: 0, false: 0 };
  for (const one of CASES) {
    const { wanted } = one;
    const result = await readAiResult(whole(one));
    assert.ok([wanted.label, ...(wanted.accept || [])].includes(labelOf(result)), `${wanted.file}: ${labelOf(result)}`);
    assert.deepEqual({
      file: wanted.file,
      // Of no known provider it is the best effort, which the vectors leave open.
      text: result.outcome === 'unknown' ? 'Hello there.' : wanted.text,
      finishReason: wanted.finishRaw,
      partialText: wanted.partialText === true,
      retryable: wanted.retryable === undefined ? result.retryable : wanted.retryable,
      retryAfterMs: waitOf(wanted),
    }, {
      file: wanted.file,
      text: result.text,
      finishReason: result.finishReason,
      partialText: result.partialText,
      retryable: result.retryable,
      retryAfterMs: result.retryAfterMs,
    });
    retryable[result.retryable] += 1;
  }
  assert.ok(retryable.true > 5 && retryable.false > 50);
});

test('a loop is given the text of the result, whole and once, and the same result', async () => {
  let streamed = 0;
  for (const one of CASES) {
    const wanted = await readAiResult(whole(one));
    const { result, text } = await read(whole(one));
    assert.deepEqual(result, wanted, one.wanted.file);
    // An answer in one piece that failed or was refused is not handed out as if it were one.
    const withheld = !isStream(one) && ['error', 'refused'].includes(wanted.outcome);
    assert.equal(text, withheld ? '' : wanted.text || '', one.wanted.file);
    streamed += text.length;
  }
  assert.ok(streamed > 500);
});

test('byte by byte it is the same', async () => {
  for (const one of CASES) {
    if (NO_BODY.includes(one.wanted.status)) continue;
    const wanted = await read(whole(one));
    assert.deepEqual(await read(respond(one, Array.from(one.body, (_, at) => one.body.subarray(at, at + 1)))), wanted, one.wanted.file);
  }
});

test('every stream cut in two at every offset is the same', async () => {
  const streams = CASES.filter(isStream);
  assert.ok(streams.length > 40);
  for (const one of streams) {
    const wanted = await read(respond(one, [one.body]));
    for (let at = 1; at < one.body.length; at++) {
      const got = await read(respond(one, [one.body.subarray(0, at), one.body.subarray(at)]));
      assert.deepEqual(got, wanted, `${one.wanted.file} cut at ${at}`);
    }
  }
});

const SIGNS = ['"finish_reason":"stop"', '"finish_reason":"tool_calls"', '"type":"response.completed"', '"stop_reason":"end_turn"', '"finishReason":"STOP"', '"done":true'];

/** Where the document ends that carries the sign that the answer is over; of an array its bracket. */
function terminalSign(body) {
  const text = Buffer.from(body).toString('latin1');
  if (text.startsWith('[')) return text.length - 1;
  const sign = Math.min(...SIGNS.map((sign) => text.indexOf(sign)).filter((at) => at >= 0));
  return sign + text.slice(sign).search(/[\r\n]/);
}

test('a stream that ends too early is never complete before its sign has arrived, and always after', async () => {
  const streams = CASES.filter((one) => isStream(one) && ['complete', 'tool_calls'].includes(one.wanted.label));
  assert.ok(streams.length > 10);
  for (const one of streams) {
    const sign = terminalSign(one.body);
    assert.ok(sign > 100, one.wanted.file);
    for (let at = 1; at <= one.body.length; at++) {
      const { outcome, retryable } = await readAiResult(respond(one, [one.body.subarray(0, at)]));
      assert.equal(outcome, at >= sign ? one.wanted.label : 'incomplete_stream', `${one.wanted.file} cut at ${at}`);
      assert.equal(retryable, false);
    }
  }
});

test('JSON that ends too early is never an answer', async () => {
  const bodies = CASES.filter((one) => !isStream(one) && one.wanted.status === 200);
  assert.ok(bodies.length > 20);
  for (const one of bodies) {
    const end = Buffer.from(one.body).toString('latin1').trimEnd().length;
    for (let at = 1; at < end; at += 7) {
      const { result, text } = await read(respond(one, [one.body.subarray(0, at)]));
      assert.match(labelOf(result), /^error\((bad_json|empty_response)\)$/);
      assert.deepEqual([result.text, text], [null, ''], `${one.wanted.file} cut at ${at}`);
    }
  }
});

test('the back end of one\'s own: unknown with its text, complete through `read`', async () => {
  const [one] = CASES.filter(({ wanted }) => wanted.file === 'custom-proxy.json');
  const { outcome, text, provider } = await readAiResult(whole(one));
  assert.deepEqual([outcome, text, provider], ['unknown', 'Hello there.', 'unknown']);
  const through = await readAiResult(whole(one), { read: (body) => ({ text: body.answer }) });
  assert.deepEqual([through.outcome, through.text, through.provider], ['complete', 'Hello there.', 'custom']);
});
