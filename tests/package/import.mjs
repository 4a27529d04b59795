// Run inside a project that installed the package, as it is and bundled.

import { engine, spFetch } from 'steadfetch';
import { trackWithApplicationInsights } from 'steadfetch/application-insights';
import { traceWithOpenTelemetry } from 'steadfetch/opentelemetry';
import { measureWithUserTiming } from 'steadfetch/user-timing';

const told = [];
trackWithApplicationInsights({ trackDependencyData: ({ name }) => told.push(name) });
traceWithOpenTelemetry({ startSpan: (name) => (told.push(name), { setStatus() {}, end() {}, spanContext() {} }) });
measureWithUserTiming();

globalThis.fetch = async () => new Response('ok');
const response = await spFetch('https://contoso.sharepoint.com/_api/web');
const text = await response.text();
if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
if (told.join() !== 'GET /_api/web,GET /_api/web') throw new Error(`the entries do not share the library: ${told}`);
console.log('import: wasm');
