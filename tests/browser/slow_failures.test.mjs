// An AI failure that took long is a timeout already paid for: the model's work is billed, and is not ordered twice.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, explain, getCallInfo } from '/pkg/index.mjs';
import { stopClocks, virtualTime } from './clocks.mjs';
import { MODEL, lab } from './lab.mjs';
import { until } from './next_task.mjs';

const HINT = { 'retry-after-ms': 1 };
const SOON = { method: 'POST', body: '{}', backoff: { baseMs: 1 }, circuit: false, coolDown: false };

/** Has the first answer come only after `move()` of the page's clocks; every further one at once. */
async function answeredAfter(step, move, tick = () => {}) {
  const server = await lab([{ ...step, headers: HINT, hold: true }]);
  let answered = false, of;
  const note = () => (answered = true);
  const fetch = (...request) => globalThis.fetch(...request).finally(note);
  aiFetch(server.here(MODEL), { ...SOON, fetch }).then((response) => (of = response), (error) => (of = error));
  await server.held();
  move();
  await server.release();
  await until(() => {
    if (answered) tick();
    return of;
  });
  const { requests, modelCalls } = await server.account();
  return { of, info: getCallInfo(of), sent: requests.length, modelCalls };
}

describe('slow failures', () => {
  const statuses = [[502, 30_000], [503, 30_000], [429, 30_000], [529, 30_000], [504, 5_000], [408, 5_000]];
  for (const [status, limitMs] of statuses) {
    it(`${status} after ${limitMs - 1} ms is repeated, after ${limitMs} ms not`, async () => {
      const clock = virtualTime();
      const after = (ms) => answeredAfter({ status }, () => clock.tick(ms), () => clock.tick(1));
      const fast = await after(limitMs - 1);
      expect(fast.of.status).to.equal(200);
      expect(fast.sent).to.equal(2);
      const slow = await after(limitMs);
      expect(slow.of.status).to.equal(status);
      expect(slow.sent).to.equal(1);
      expect(slow.modelCalls).to.equal(0);
      expect(slow.info.stop).to.equal('slow-failure');
      expect(slow.info.attempts[0].elapsedMs).to.equal(limitMs);
    });
  }

  it('a connection that broke after 29,999 ms is repeated, after 30,000 ms not', async () => {
    const clock = virtualTime();
    const after = (ms) => answeredAfter({ drop: 'rst-mid-headers' }, () => clock.tick(ms), () => clock.tick(1));
    const fast = await after(29_999);
    expect(fast.of.status).to.equal(200);
    expect(fast.sent).to.equal(2);
    const slow = await after(30_000);
    expect(slow.of).to.be.instanceOf(TypeError);
    expect(slow.sent).to.equal(1);
    expect(slow.info.stop).to.equal('slow-failure');
  });

  it('a failure that a sleeping laptop woke up to is not repeated, however short it seemed', async () => {
    const clocks = stopClocks();
    const awake = await answeredAfter({ status: 502 }, () => clocks.sleep(2_000));
    expect(awake.sent).to.equal(2);
    const asleep = await answeredAfter({ status: 502 }, () => clocks.sleep(2_001));
    expect(asleep.sent).to.equal(1);
    expect(asleep.info.attempts[0].suspended).to.equal(true);
    expect(asleep.info.stop).to.equal('slow-failure');
  });

  it('by the real clocks: a 502 after slowAfterMs is the only one, and its sentence says why', async () => {
    const server = await lab([{ status: 502, delayMs: 400, times: 3 }]);
    const response = await aiFetch(server.here(MODEL), { ...SOON, slowAfterMs: 300 });
    expect(response.status).to.equal(502);
    expect(await server.requests()).to.have.length(1);
    expect(explain(response)).to.match(/It was not repeated/);
  });

  it('by the real clocks: 502s at once are repeated, as often as allowed', async () => {
    const server = await lab([{ status: 502, times: 3 }]);
    const response = await aiFetch(server.here(MODEL), SOON);
    expect(response.status).to.equal(502);
    expect(getCallInfo(response).stop).to.equal('no-retries-left');
    expect(await server.requests()).to.have.length(3);
  });
});
