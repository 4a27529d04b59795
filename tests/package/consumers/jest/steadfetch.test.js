// jsdom has no fetch, so the test brings one that answers with plain objects, as the tests of web parts do.

const http = require('node:http');
const { aiFetch, engine, getCallInfo, spFetch } = require('steadfetch');

const plainObjects = (address, { method, headers, body } = {}) =>
  new Promise((resolve, reject) => {
    const request = http.request(String(address), { method, headers }, (answer) => {
      answer.resume();
      const { statusCode: status, headers: named } = answer;
      resolve({ ok: status < 300, status, headers: { get: (name) => named[name.toLowerCase()] || null } });
    });
    request.on('error', reject);
    request.end(body);
  });

test('a read is repeated and a model is asked', async () => {
  global.fetch = plainObjects;
  const read = await spFetch(process.env.READ);
  const asked = await aiFetch(process.env.ASK, { method: 'POST', body: '{}' });
  expect([read.status, asked.status, engine()]).toEqual([200, 200, 'wasm']);
  expect(getCallInfo(read).attempts.map(({ status }) => status)).toEqual([429, 200]);
});
