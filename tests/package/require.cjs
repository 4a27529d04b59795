// Run inside a project that installed the package.

const { engine, spFetch } = require('steadfetch');
const { version } = require('steadfetch/package.json');

globalThis.fetch = async () => new Response('ok');
spFetch('https://contoso.sharepoint.com/_api/web').then(async (response) => {
  const text = await response.text();
  if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
  console.log(`require: wasm, version ${version}`);
});
