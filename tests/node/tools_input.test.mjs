// What the entries for tools and adapters are given by mistake: it is said at once, and what a tool does breaks nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trackWithApplicationInsights } from '../../pkg/application-insights.mjs';
import { spFetch } from '../../pkg/index.mjs';
import { traceWithOpenTelemetry } from '../../pkg/opentelemetry.mjs';
import { viaAadHttpClient, viaHttpClient, viaSPHttpClient } from '../../pkg/spfx.mjs';

for (const [name, give] of Object.entries({ traceWithOpenTelemetry, trackWithApplicationInsights, viaAadHttpClient, viaHttpClient, viaSPHttpClient })) {
  test(`${name} refuses what is none of its kind`, () => {
    for (const wrong of [undefined, null, 5, 'x', {}, { getTracer: () => null }]) {
      assert.throws(() => give(wrong), { code: 'EOPTION' });
    }
  });
}

test('a tool whose promise rejects breaks nothing', async (t) => {
  const escaped = [];
  const note = (error) => escaped.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  let told = 0;
  const end = trackWithApplicationInsights({
    trackDependencyData: async () => {
      told += 1;
      throw new Error('the tool is broken');
    },
  });
  t.after(end);
  await spFetch('https://contoso.sharepoint.com/_api/web', { fetch: async () => new Response('') });
  // Rejections that nobody handles are told after the turn in which they came.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  assert.deepEqual([told, escaped], [1, []]);
});
