// Which engine the suites of this page run on: `&engine=js` in its address makes it the one compiled to JavaScript.

export const ENGINE = new URLSearchParams(location.search).get('engine') || 'wasm';
/** What `/pkg/index.mjs` stands for on this page (index.html says so to the browser). */
export const PACKAGE = ENGINE === 'js' ? '/pkg/asm.mjs' : '/pkg/index.mjs';
