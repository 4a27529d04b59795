// Run inside a project that installed the package, as it is and bundled.

import { engine, spFetch } from 'steadfetch';

globalThis.fetch = async () => new Response('ok');
const response = await spFetch('https://contoso.sharepoint.com/_api/web');
const text = await response.text();
if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
console.log('import: wasm');
