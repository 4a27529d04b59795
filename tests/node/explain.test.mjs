// The sentence for a person: what failed, why it was (not) repeated, what to do now; and that no engine is needed for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { told } from '../../target/package/stage/explain_words.js';
import { breakableWebAssembly, recordWarnings } from './broken_engine.mjs';
import { importFresh, importWithoutJs, recordingFetch, withGlobals } from './fresh_package.mjs';

const LIST = 'https://contoso.sharepoint.com/_api/web/lists';
const UNKNOWN = 'The request was sent once; why it ended as it did is not known.';

const REASONS = [
  'final-status', 'unsafe-method', 'slow-failure', 'no-retries-left', 'retry-budget', 'wait-exceeds-time-left', 'timeout', 'aborted',
  'body-not-replayable', 'circuit-open', 'cooling-down', 'vetoed', 'stacked-retries', 'network', 'not-sent',
];

/** An account, as it is kept. */
function ended(stop, status, { page = null, retryAfterMs = null, sends = 1, write = stop === 'unsafe-method' } = {}) {
  const attempts = Array.from({ length: sends }, (_, sent) => ({ status: sent === sends - 1 ? status : 503 }));
  return { info: { attempts, page, retryAfterMs, stop }, write };
}

test('a sentence says what, why and what to do', () => {
  assert.equal(
    told(ended('unsafe-method', 429)),
    'The server is limiting requests. It was not repeated, because it may have been applied already. ' +
      'Check whether it was applied before you try again.',
  );
  assert.equal(
    told(ended('unsafe-method', 503, { retryAfterMs: 41_000 })),
    'The server is overloaded. It was not repeated, because it may have been applied already. ' +
      'Check whether it was applied before you try again in 41 seconds.',
  );
  assert.equal(
    told(ended('wait-exceeds-time-left', 503, { retryAfterMs: 229_000 })),
    'The server is overloaded. It was not repeated, because the wait would have taken longer than the time left. ' +
      'Try again in 4 minutes.',
  );
  assert.equal(
    told(ended('final-status', 200, { page: 'login' })),
    'A sign-in page answered instead of data. Reload the page and sign in again.',
  );
});

test('nobody is told to repeat a write that may have been applied', () => {
  for (const [stop, status] of [
    ['timeout', null], ['aborted', null], ['unsafe-method', null], ['unsafe-method', 503], ['final-status', 500], ['final-status', 504],
  ]) {
    const text = told(ended(stop, status, { write: true }));
    assert.ok(text.endsWith('Check whether it was applied before you try again.'), `${stop} ${status}: ${text}`);
  }
  for (const status of [400, 412]) assert.doesNotMatch(told(ended('final-status', status, { write: true })), /applied/);
  const unsent = ended('aborted', null, { write: true, sends: 0 });
  assert.equal(told(unsent), 'The request was cancelled. Start it again if you still need it.');
});

test('waits are said in whole seconds or minutes', () => {
  for (const [ms, want] of [
    [1, 'Try again in 1 second.'],
    [41_000, 'Try again in 41 seconds.'],
    [119_001, 'Try again in 2 minutes.'],
    [7_199_000, 'Try again in 120 minutes.'],
    [1e300, 'Try again later; the server asked for a wait of hours.'],
    [0, 'Wait a minute and try again.'],
  ]) {
    assert.equal(told(ended('final-status', 429, { retryAfterMs: ms })), `The server is limiting requests. ${want}`);
  }
});

test('what the status says, and what to do about it', () => {
  for (const [statuses, sentence] of [
    [[null], 'The server could not be reached, refused this page (CORS), or you are signed out. Check the connection, or reload the page and sign in.'],
    [[401, 403], 'The server refused access. Sign in again, or ask for access.'],
    [[404, 410], 'The server did not find what was asked for. Check that it still exists.'],
    [[409, 412, 423], 'The server reported a conflict. Reload the latest version and try again.'],
    [[408], 'The server ran out of time. Trying again will not help; report it to the owner of this page.'],
    [[504], 'The server ran out of time. Try again later.'],
    [[429], 'The server is limiting requests. Wait a minute and try again.'],
    [[503, 529], 'The server is overloaded. Wait a minute and try again.'],
    [[500, 502, 599, 999], 'The server failed. Try again later.'],
    [[400, 402, 422, 499], 'The server did not accept the request. Trying again will not help; report it to the owner of this page.'],
    [[0, 100, 200, 304], 'The server did not accept the request. Try again later.'],
  ]) {
    for (const status of statuses) assert.equal(told(ended('final-status', status)), sentence, String(status));
  }
});

test('HTML beside a failed status is the server\'s own error page', () => {
  assert.equal(told(ended('final-status', 200, { page: 'html' })), 'A web page answered instead of data. Wait a few minutes and try again.');
  assert.equal(told(ended('final-status', 404, { page: 'html' })), 'The server did not find what was asked for. Wait a few minutes and try again.');
});

test('that it was repeated is said only where it was', () => {
  for (const stop of ['no-retries-left', 'network']) {
    assert.match(told(ended(stop, null, { sends: 2 })), /It was repeated without success\./);
    assert.doesNotMatch(told(ended(stop, null)), /repeated/);
  }
});

test('of every end something is said, in whole sentences, and of most ends something of their own', () => {
  const said = REASONS.map((stop) => told(ended(stop, 429, { sends: 2 })));
  for (const text of said) assert.match(text, /^([A-Z][^.]+\. ?){2,3}(?<! )$/);
  assert.equal(new Set(said).size, REASONS.length - 1, 'two are repeated in vain');
});

test('what an account says is said without an engine, too: before one was started, and after it stopped', async (t) => {
  recordWarnings(t);
  const wasm = breakableWebAssembly(t);
  const { fetch } = recordingFetch();
  withGlobals(t, { fetch });
  const { engine, explain, readRetryAfter, spFetch } = await importFresh();
  assert.deepEqual([explain(new DOMException('', 'AbortError')), explain({})], ['The request was cancelled.', 'The request failed.']);
  assert.equal(engine(), 'not-loaded', 'asking starts nothing');

  const response = await spFetch(LIST);
  wasm.trap();
  readRetryAfter(response);
  assert.equal(engine(), 'none');
  assert.equal(explain(response), 'The request succeeded.');
  assert.equal(explain(await spFetch(LIST)), UNKNOWN);
});

test('of what plain fetch sent, the error says what it can, and nothing more is claimed', async (t) => {
  recordWarnings(t);
  withGlobals(t, { WebAssembly: undefined, fetch: async () => { throw new TypeError('Failed to fetch'); } });
  const { engine, explain, ready, spFetch } = await importWithoutJs();
  assert.equal(await ready(), 'none');
  const errorOf = (call) => call.then(() => assert.fail('resolved'), explain);
  assert.equal(await errorOf(spFetch(LIST)), 'The server could not be reached, refused this page (CORS), or you are signed out.');
  assert.equal(await errorOf(spFetch(LIST, { signal: AbortSignal.abort() })), 'The request was cancelled.');
  assert.equal(await errorOf(spFetch(LIST, { maxRetries: -1 })), 'The request was not sent, because an option of it is wrong.');
  assert.equal(await errorOf(spFetch(LIST, { fetch: async () => { throw new RangeError(); } })), UNKNOWN);
  assert.equal(explain(await spFetch(LIST, { fetch: async () => new Response('', { status: 500 }) })), UNKNOWN);
  assert.equal(engine(), 'none');
});
