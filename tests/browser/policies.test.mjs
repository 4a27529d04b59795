// Pages with a policy of their own: where WebAssembly is allowed it runs, where it is refused the js engine is loaded, by the
// package itself, and the rules are the same.

import { expect } from '/node_modules/chai/index.js';
import { frame } from './frame.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { POLICIES } from './policies.mjs';

const EVENT = 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n';

for (const [name, [policy, engine]] of Object.entries(POLICIES)) {
  describe(`under ${name}`, () => {
    const opened = async () => (await frame(`/tests/browser/policy.html?policy=${encodeURIComponent(policy)}`)).load('/pkg/index.mjs');

    it(`the engine is ${engine}, and a read is repeated while a write is not`, async () => {
      const { getCallInfo, spFetch, ...steadfetch } = await opened();
      const server = await lab({ steps: [{ status: 429, headers: { 'retry-after-ms': 1 } }, {}, { status: 503 }] });
      const read = await spFetch(server.here(ITEMS));
      const write = await spFetch(server.here(ITEMS), { method: 'POST', body: '{}', coolDown: false });
      expect([read.status, write.status, steadfetch.engine()]).to.deep.equal([200, 503, engine]);
      expect(getCallInfo(read).attempts.map(({ status }) => status)).to.deep.equal([429, 200]);
      expect(await server.requests()).to.have.length(3);
    });

    it('an answer is read, a write is looked for, and ready() makes what answers at once answer', async () => {
      const { aiFetch, normalizeUrl, ready, readRetryAfter, streamAi, writeOnce } = await opened();
      const server = await lab([{ body: EVENT, headers: { 'content-type': 'text/event-stream' } }, { drop: 'rst-mid-headers' }]);
      const answer = streamAi(await aiFetch(server.here(MODEL), { method: 'POST', body: '{}' }));
      let text = '';
      for await (const piece of answer) text += piece;
      expect([text, (await answer.result).outcome]).to.deep.equal(['Hello', 'complete']);

      const written = await writeOnce(server.here(ITEMS), { method: 'POST', body: '{}', find: async () => ({ Id: 7 }) });
      expect([written.status, written.found]).to.deep.equal(['already-applied', { Id: 7 }]);

      expect(await ready()).to.equal(engine);
      expect(normalizeUrl('/_api/web/lists(7)')).to.equal('/_api/web/lists({n})');
      expect(readRetryAfter({ 'retry-after': '5' })).to.equal(5_000);
    });
  });
}

it('the js engine is downloaded where WebAssembly is refused, and nowhere else', async () => {
  const loads = async (policy) => {
    const window = await frame(`/tests/browser/policy.html?policy=${encodeURIComponent(policy)}`);
    const { ready } = await window.load('/pkg/index.mjs');
    await ready();
    return window.performance.getEntriesByType('resource').filter(({ name }) => name.includes('asm-engine')).length;
  };
  expect([await loads(''), await loads("script-src 'self'")]).to.deep.equal([0, 1]);
});
