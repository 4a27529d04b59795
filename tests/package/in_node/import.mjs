// Run inside a project that installed the package, as it is and bundled.

import { engine } from 'steadfetch';
import { trackWithApplicationInsights } from 'steadfetch/application-insights';
import { traceWithOpenTelemetry } from 'steadfetch/opentelemetry';
import { SteadFetch } from 'steadfetch/pnpjs';
import { viaHttpClient } from 'steadfetch/spfx';
import { measureWithUserTiming } from 'steadfetch/user-timing';

const told = [];
trackWithApplicationInsights({ trackDependencyData: ({ name }) => told.push(name) });
traceWithOpenTelemetry({ startSpan: (name) => (told.push(name), { setStatus() {}, end() {}, spanContext() {} }) });
measureWithUserTiming();

// By way of the adapters: it is this very copy of the library that they run.
const fetch = viaHttpClient({ fetch: async () => new Response('ok') }, undefined);
let send;
SteadFetch({ fetch })({ on: { send: { replace: (sender) => (send = sender.bind({ log() {} })) } } });
const response = await send(new URL('https://contoso.sharepoint.com/_api/web'), { method: 'GET' });
const text = await response.text();
if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
if (told.join() !== 'GET /_api/web,GET /_api/web') throw new Error(`the entries do not share the library: ${told}`);
console.log('import: wasm');
