// The error class, as callers and loggers see it.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { importFresh } from './fresh_package.mjs';

const { SteadError, isSteadError } = await importFresh();

test('every copy of the library recognises the errors of the others', async () => {
  const other = createRequire(import.meta.url)('../../pkg/index.cjs');
  const error = new other.SteadError('EOPTION', 'maxRetries is NaN');
  assert.equal(error instanceof SteadError, false);
  assert.equal(isSteadError(error), true);
  assert.equal(isSteadError(error, 'EOPTION'), true);
  assert.equal(isSteadError(error, 'ETIMEOUT'), false);
});

test('an error from another realm is recognised', () => {
  const foreign = runInNewContext(`
    class SteadError extends Error { get [Symbol.for('steadfetch.error')]() { return true; } }
    const error = new SteadError('x'); error.code = 'ETIMEOUT'; error`);
  assert.equal(foreign instanceof Error, false);
  assert.equal(isSteadError(foreign, 'ETIMEOUT'), true);
});

test('nothing else is one, and asking never throws', () => {
  const throwing = new Proxy({}, { get() { throw new Error('cross-origin'); } });
  for (const other of [undefined, null, 'ETIMEOUT', 5, {}, [], new Error('x'), { code: 'ETIMEOUT' }, throwing]) {
    assert.equal(isSteadError(other), false);
  }
});

test('what was not given is null, or absent where it is optional', () => {
  const error = new SteadError('EENGINE', 'stopped');
  assert.deepEqual({ ...error }, { code: 'EENGINE', status: null, retryAfterMs: null });
  assert.equal('cause' in error, false);
  assert.equal('pages' in error, false);
});

test('a cause is kept but not enumerated, since loggers walk what they see', () => {
  const cause = new Response('secret');
  const error = new SteadError('EPARTIALREAD', 'page 3 failed', { status: 503, retryAfterMs: 2000, pages: 2, items: 200, cause });
  assert.equal(error.cause, cause);
  assert.deepEqual({ ...error }, { code: 'EPARTIALREAD', status: 503, retryAfterMs: 2000, pages: 2, items: 200 });
});

test('a timeout carries the name that the platform gives timeouts', () => {
  assert.equal(String(new SteadError('ETIMEOUT', 'no answer')), 'TimeoutError: no answer');
  assert.equal(String(new SteadError('EOPTION', 'wrong')), 'SteadError: wrong');
});
