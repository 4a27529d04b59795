// SPFx's clients as npm has them, in Node. A SharePoint page stands around them: what it brings, and they ask for, is
// made here, and no more.

const Module = require('node:module');

globalThis.window = globalThis;
// Constants of SPFx's own build, for one without a tenant's flights and switches.
globalThis.DEPRECATED_UNIT_TEST = true;
globalThis.DEBUG = false;

// Bundled into what SharePoint serves, and not published by themselves. The clients use of them what their own monitoring
// needs when an answer is an error.
const internal = { CustomError: class extends Error {}, getErrorMessage: String };
const load = Module._load;
Module._load = (name, ...rest) => (name.startsWith('@msinternal/') ? internal : load(name, ...rest));

const { ServiceScope } = require('@microsoft/sp-core-library');
const { PageContext } = require('@microsoft/sp-page-context');
const { AadHttpClient, HttpClient, SPHttpClient } = require('@microsoft/sp-http-base');

/** The `context` of a web part, as far as it has clients. */
function context() {
  const scope = ServiceScope.startNewRoot();
  scope.provide(PageContext.serviceKey, { legacyPageContext: {} });
  scope.finish();
  return {
    spHttpClient: new SPHttpClient(scope),
    httpClient: new HttpClient(scope),
    /** As `aadHttpClientFactory.getClient` makes one; `getToken(resource, useCachedToken)` is asked for tokens. */
    aadHttpClient: (getToken) => new AadHttpClient(scope, 'api://models', { tokenProvider: { getToken } }),
  };
}

module.exports = { AadHttpClient, HttpClient, SPHttpClient, context };
