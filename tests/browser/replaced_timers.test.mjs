// Unit tests of web parts put clocks of their own in the page's place, also while a call is under way. A timer that was
// set before cannot be cleared then, and fires all the same.

import { expect } from '/node_modules/chai/index.js';
import { virtualTime } from './clocks.mjs';
import { copy } from './copies.mjs';
import { ENGINE } from './engine_here.mjs';
import { ITEMS, lab } from './lab.mjs';
import { until } from './next_task.mjs';
import { replace } from './replace.mjs';

it('a page whose timers are replaced while a call is under way keeps its engine', async () => {
  const { spFetch, engine } = await copy();
  const fired = [];
  const { setTimeout } = globalThis;
  replace(globalThis, 'setTimeout', (act, ms) => {
    const timer = { ms, fired: false };
    fired.push(timer);
    return setTimeout(() => {
      timer.fired = true;
      act();
    }, ms);
  });
  const server = await lab([{ hold: true }]);
  const call = spFetch(server.here(ITEMS), { timeout: 30_000 });
  await server.held();
  const own = fired.find(({ ms }) => ms <= 1_000);
  virtualTime();
  await server.release();
  expect((await call).status).to.equal(200);
  await until(() => own.fired);
  expect(engine()).to.equal(ENGINE);
});
