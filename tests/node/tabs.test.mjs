// `coolDown: 'tabs'`: gates shared with the user's other tabs by BroadcastChannel, here a stand-in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFresh, withGlobals } from './fresh_package.mjs';
import { LIST, MODEL, answer, ends, finish, serving, settle, virtualClock } from './scripted_fetch.mjs';

const TABS = { coolDown: 'tabs' };
const ONCE = { maxRetries: 0 };
const ORIGIN = 'https://contoso.sharepoint.com';

/** A copy of the package in a tab whose channel `Channel` is. */
async function tab(t, Channel) {
  const clock = virtualClock(t);
  withGlobals(t, { BroadcastChannel: Channel });
  return { clock, ...(await importFresh()) };
}

/** Notes what is posted, and lets a test be the other tab. */
class Channel {
  static open = [];
  posted = [];
  constructor(name) {
    Channel.open.push(Object.assign(this, { name }));
  }
  postMessage(message) {
    this.posted.push(structuredClone(message));
  }
  hear(message) {
    this.onmessage({ data: message });
  }
}

async function tabWithChannel(t) {
  Channel.open = [];
  const page = await tab(t, Channel);
  const server = serving(() => answer(200));
  await finish(page.clock, page.spFetch(LIST, { ...TABS, fetch: server.fetch }));
  const [channel] = Channel.open;
  /** How long a call has to wait at the gate. */
  const waited = async (fetchOf = page.spFetch, input = LIST, init = TABS) => {
    const began = Date.now();
    let sentAt;
    const fetch = async () => ((sentAt = Date.now()), answer(200)());
    await finish(page.clock, fetchOf(input, { ...init, fetch }));
    return sentAt - began;
  };
  return { ...page, channel, waited };
}

test('nobody opens a channel before a call asks for it, and all calls share one', async (t) => {
  const { clock, spFetch, aiFetch, waited } = await tabWithChannel(t);
  assert.deepEqual(Channel.open.map(({ name }) => name), ['steadfetch.page/1']);
  await waited();
  await waited(aiFetch, MODEL);
  assert.equal(Channel.open.length, 1);
  Channel.open = [];
  const other = await importFresh();
  await finish(clock, other.spFetch(LIST, { fetch: async () => answer(429, { 'Retry-After': '1' })(), ...ONCE }));
  assert.equal(Channel.open.length, 0);
  assert.notEqual(other.spFetch, spFetch);
});

test('a gate that closes here is told once, by its key, and with the time left', async (t) => {
  const { clock, spFetch, aiFetch, channel } = await tabWithChannel(t);
  const throttles = async () => answer(429, { 'Retry-After': '7' })();
  await finish(clock, spFetch(LIST, { ...TABS, ...ONCE, fetch: throttles }));
  await finish(clock, aiFetch(MODEL, { ...TABS, ...ONCE, circuit: { key: 'summaries' }, fetch: throttles }));
  const sentAt = Date.now();
  assert.deepEqual(channel.posted, [{ gate: ORIGIN, leftMs: 7_000, sentAt }, { gate: 'summaries', leftMs: 7_000, sentAt }]);
});

test('a wait of an hour is told as two minutes', async (t) => {
  const { clock, spFetch, channel } = await tabWithChannel(t);
  await finish(clock, spFetch(LIST, { ...TABS, ...ONCE, fetch: async () => answer(429, { 'Retry-After': '3600' })() }));
  assert.deepEqual(channel.posted.map(({ leftMs }) => leftMs), [120_000]);
});

test('what is not new is not told', async (t) => {
  const { clock, spFetch, channel } = await tabWithChannel(t);
  const { fetch } = serving((number) => answer(429, { 'Retry-After': String([7, 5, 9][number]) }));
  const calls = [1, 2, 3].map(() => spFetch(LIST, { ...TABS, ...ONCE, fetch }));
  await ends(clock, calls);
  assert.deepEqual(channel.posted.map(({ leftMs }) => leftMs), [7_000, 9_000]);
});

test('what another tab says holds calls back that ask for it, ramped as if this page had been told; it is never echoed', async (t) => {
  const { clock, spFetch, channel, telemetry } = await tabWithChannel(t);
  const { fetch, at } = serving(() => answer(200));
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() });
  const calls = [1, 2, 3].map(() => spFetch(LIST, { ...TABS, fetch }));
  await settle();
  assert.deepEqual(telemetry().coolDowns.map(({ untilMs }) => untilMs - Date.now()), [3_000]);
  await ends(clock, calls);
  assert.deepEqual(at(), [3_000, 3_100, 3_100]);
  assert.deepEqual(channel.posted, []);
});

test('calls that share with this page only do not hear other tabs', async (t) => {
  const { channel, waited, spFetch } = await tabWithChannel(t);
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() });
  assert.equal(await waited(spFetch, LIST, {}), 0);
  assert.equal(await waited(spFetch, LIST, { coolDown: false }), 0);
  assert.equal(await waited(), 3_000);
});

test('time on the way counts, and a clock of another tab that is ahead prolongs nothing', async (t) => {
  const { channel, waited } = await tabWithChannel(t);
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() - 1_000 });
  assert.equal(await waited(), 2_000);
  await waited();
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() - 3_000 });
  assert.equal(await waited(), 0);
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() + 3_600_000 });
  assert.equal(await waited(), 3_000);
});

test('what another tab said is forgotten by resetPageState', async (t) => {
  const { channel, waited, resetPageState } = await tabWithChannel(t);
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() });
  resetPageState();
  assert.equal(await waited(), 0);
});

test('junk messages and waits above two minutes are not heard', async (t) => {
  const { channel, waited } = await tabWithChannel(t);
  const gate = ORIGIN;
  const sentAt = Date.now();
  const messages = [
    undefined, null, 7, 'closed', [], {}, new Map(), { gate }, { leftMs: 5_000, sentAt }, { gate: 7, leftMs: 5_000, sentAt },
    { gate: [ORIGIN], leftMs: 5_000, sentAt }, { gate, leftMs: 5_000 }, { gate, leftMs: NaN, sentAt }, { gate, leftMs: Infinity, sentAt },
    { gate, leftMs: -1, sentAt }, { gate, leftMs: 0, sentAt }, { gate, leftMs: 120_001, sentAt }, { gate, leftMs: 1e300, sentAt },
    { gate, leftMs: 5_000, sentAt: NaN }, { gate, leftMs: 5_000, sentAt: -Infinity }, { gate, leftMs: 5_000, sentAt: 'now' },
    { gate, leftMs: {}, sentAt }, { gate, leftMs: 5_000n, sentAt }, { gate, leftMs: 5_000, sentAt: 7n }, { gate, leftMs: '5000', sentAt },
    { gate: ORIGIN + '/'.repeat(500), leftMs: 5_000, sentAt },
  ];
  for (const message of messages) {
    channel.hear(message);
    assert.equal(await waited(), 0, String(message && message.leftMs));
  }
  channel.hear({ gate, leftMs: 120_000, sentAt: Date.now() });
  assert.equal(await waited(undefined, LIST, { ...TABS, timeout: Infinity }), 120_000);
});

test('a flood of other keys pushes out the oldest and leaves the rest', async (t) => {
  const { channel, waited } = await tabWithChannel(t);
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() });
  for (let key = 0; key < 199; key++) channel.hear({ gate: `key ${key}`, leftMs: 3_000, sentAt: Date.now() });
  assert.equal(await waited(), 3_000, 'the last of 200');
  await waited();
  channel.hear({ gate: ORIGIN, leftMs: 3_000, sentAt: Date.now() });
  for (let key = 0; key < 200; key++) channel.hear({ gate: `key ${key}`, leftMs: 3_000, sentAt: Date.now() });
  assert.equal(await waited(), 0);
});

const without = {
  'without a BroadcastChannel': undefined,
  'with one that cannot be opened': class { constructor() { throw new Error('mine'); } },
  'with one that cannot post': class { postMessage() { throw new Error('mine'); } },
  'with one that lets nobody listen': class { set onmessage(_) { throw new Error('mine'); } },
};

for (const [what, Channel] of Object.entries(without)) {
  test(`${what} the page simply does not share`, async (t) => {
    const { clock, spFetch, engine } = await tab(t, Channel);
    const { fetch, at } = serving((number) => answer(number === 0 ? 429 : 200, { 'Retry-After': '3' }));
    await finish(clock, spFetch(LIST, { ...TABS, ...ONCE, fetch }));
    await finish(clock, spFetch(LIST, { ...TABS, fetch }));
    assert.deepEqual([at(), engine()], [[0, 3_000], 'wasm']);
  });
}
