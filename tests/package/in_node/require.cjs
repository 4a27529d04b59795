// Run inside a project that installed the package.

const { engine } = require('steadfetch');
const { trackWithApplicationInsights } = require('steadfetch/application-insights');
const { traceWithOpenTelemetry } = require('steadfetch/opentelemetry');
const { SteadFetch } = require('steadfetch/pnpjs');
const { viaHttpClient } = require('steadfetch/spfx');
const { version } = require('steadfetch/package.json');
const { measureWithUserTiming } = require('steadfetch/user-timing');

const told = [];
trackWithApplicationInsights({ trackDependencyData: ({ name }) => told.push(name) });
traceWithOpenTelemetry({ startSpan: (name) => (told.push(name), { setStatus() {}, end() {}, spanContext() {} }) });
measureWithUserTiming();

// By way of the adapters: it is this very copy of the library that they run.
const fetch = viaHttpClient({ fetch: async () => new Response('ok') }, undefined);
let send;
SteadFetch({ fetch })({ on: { send: { replace: (sender) => (send = sender.bind({ log() {} })) } } });
send(new URL('https://contoso.sharepoint.com/_api/web'), { method: 'GET' }).then(async (response) => {
  const text = await response.text();
  if (text !== 'ok' || engine() !== 'wasm') throw new Error(`engine ${engine()}, answer ${text}`);
  if (told.join() !== 'GET /_api/web,GET /_api/web') throw new Error(`the entries do not share the library: ${told}`);
  console.log(`require: wasm, version ${version}`);
});
