// @vitest-environment jsdom

import { expect, test } from 'vitest';
import { aiFetch, engine, getCallInfo, spFetch } from 'steadfetch';

test('a read is repeated and a model is asked', async () => {
  const read = await spFetch(process.env.READ);
  const asked = await aiFetch(process.env.ASK, { method: 'POST', body: '{}' });
  expect([read.status, asked.status, engine()]).toEqual([200, 200, 'wasm']);
  expect(getCallInfo(read).attempts.map(({ status }) => status)).toEqual([429, 200]);
});
