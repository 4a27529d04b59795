// SharePoint's page around a web part, as far as a web part sees it: the loader, which reads the manifest that SPFx wrote,
// and what is used of `@microsoft/*`. Runs in a page of the lab server.

/** SPFx compiles to ES5, whose classes do not extend those of newer JavaScript: hence a function. */
function BaseClientSideWebPart() {}

const components = {
  '@microsoft/sp-webpart-base': { BaseClientSideWebPart },
  '@microsoft/sp-http': { SPHttpClient: { configurations: { v1: 'v1' } } },
};
/** Names itself to the server, as the real one does with headers of its own. */
const spHttpClient = {
  fetch: (url, configuration, options) => {
    const headers = new Headers(options.headers);
    headers.set('x-client', `SPHttpClient ${configuration}`);
    return fetch(url, { ...options, headers });
  },
};

const told = [];
for (const level of ['warn', 'error']) console[level] = (...words) => told.push(`${level}: ${words.join(' ')}`);
window.addEventListener('unhandledrejection', ({ reason }) => told.push(`unhandled: ${reason}`));
const refused = new Set();
document.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.add(blockedURI));

/**
 * Puts the web part of a manifest into the page. Resolves with what it shows once it has come to an end, and with what became
 * of the page meanwhile.
 */
export async function show({ manifest, assets, properties, webAssembly = true }) {
  if (!webAssembly) delete globalThis.WebAssembly;
  const { loaderConfig } = await (await fetch(manifest)).json();
  const { default: WebPart } = await entryModule(loaderConfig, assets);
  const domElement = document.body.appendChild(document.createElement('section'));
  const webPart = Object.assign(new WebPart(), { domElement, properties, context: { spHttpClient } });
  webPart.render();
  await ended(domElement);

  const texts = (selector) => [...domElement.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const scripts = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.startsWith(assets));
  return {
    titles: texts('li'),
    paragraphs: texts('p'),
    runsOn: texts('footer').join(),
    files: scripts.map((name) => name.slice(assets.length)),
    refused: [...refused],
    told,
  };
}

/** By AMD, as SharePoint does it: what the module needs must be in its manifest, and comes from the page. */
async function entryModule({ entryModuleId, scriptResources }, assets) {
  const component = (name) => {
    if (scriptResources[name]?.type !== 'component') throw new Error(`${name} is needed and not in the manifest`);
    return components[name];
  };
  let made;
  // The name, which comes first, may be missing.
  globalThis.define = (...given) => {
    const [needs, factory] = given.slice(-2);
    made = factory(...needs.map(component));
  };
  globalThis.define.amd = {};
  await loaded(assets + scriptResources[entryModuleId].path);
  return made;
}

function loaded(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src: address, onload: resolve, onerror: () => reject(new Error(`${address} does not load`)) });
    document.head.append(script);
  });
}

/** A web part of the sample ends with a footer, or with an alert. */
function ended(element) {
  const end = () => element.querySelector('footer, [role=alert]');
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => end() && resolve());
    observer.observe(element, { childList: true, attributes: true, subtree: true });
    if (end()) resolve();
  });
}
