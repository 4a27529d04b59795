// The built package in a real browser: loaded as a plain module, run as wasm.

import { expect } from '/node_modules/chai/index.js';
import * as steadfetch from '/pkg/index.mjs';
import { collectGarbage } from './collect_garbage.mjs';
import { ENGINE } from './engine_here.mjs';

describe('the package in a browser', () => {
  it('gets an answer from the server through wasm', async () => {
    const response = await steadfetch.spFetch('/tests/browser/index.html');
    expect(response).to.be.instanceOf(Response);
    expect(response.status).to.equal(200);
    expect(await response.text()).to.include('<div id="mocha">');
    expect(steadfetch.engine()).to.equal(ENGINE);
  });

  it('keeps no hold on an answer that the page has forgotten', async () => {
    let collected = false;
    const registry = new FinalizationRegistry(() => (collected = true));
    await (async () => {
      const response = await steadfetch.spFetch('/tests/browser/index.html');
      registry.register(response, undefined);
      await response.text();
    })();
    while (!collected) await collectGarbage(); // mocha's time limit ends it
  });
});
