// A page's own tests replace the timers while calls are under way. These here run by the real ones, in a file of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { importFresh } from './fresh_package.mjs';
import { LIST } from './scripted_fetch.mjs';

const { isSteadError, spFetch } = await importFresh();

test('calls under way end in time, whatever fake timers came and went meanwhile', async () => {
  const never = () => new Promise(() => {});
  const isLate = (error) => isSteadError(error, 'ETIMEOUT');
  const before = spFetch(LIST, { fetch: never, timeout: 50 });
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  const meanwhile = spFetch(LIST, { fetch: never, timeout: 40 });
  clock.uninstall();
  await Promise.all([assert.rejects(before, isLate), assert.rejects(meanwhile, isLate)]);
});
