// Run inside a project that installed the package, as it is and bundled.

import { engine } from 'steadfetch';
import { SteadFetch } from 'steadfetch/pnpjs';
import { viaHttpClient } from 'steadfetch/spfx';

// By way of the adapters: it is this very copy of the library that they run.
const fetch = viaHttpClient({ fetch: async () => new Response('ok') }, undefined);
let send;
SteadFetch({ fetch })({ on: { send: { replace: (sender) => (send = sender.bind({ log() {} })) } } });
const response = await send(new URL('https://contoso.sharepoint.com/_api/web'), { method: 'GET' });
const text = await response.text();
if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
console.log('import: wasm');
