// Other versions write into the page state, and so may anybody else. Nothing there is trusted, and nothing breaks a call.

import { expect } from '/node_modules/chai/index.js';
import { pass, virtualTime } from './clocks.mjs';
import { copy } from './copies.mjs';
import { ENGINE } from './engine_here.mjs';
import { frame } from './frame.mjs';
import { MODEL, lab } from './lab.mjs';
import { laterCopy } from './later_copy.mjs';
import { KEY, SHELVES, pageState } from './page_state.mjs';
import { replace } from './replace.mjs';
import { Transport } from './transport.mjs';

const throwing = () => {
  throw new Error('broken');
};
const broken = () => new Proxy({}, { get: throwing, set: throwing, has: throwing, ownKeys: throwing, getOwnPropertyDescriptor: throwing, getPrototypeOf: throwing, defineProperty: throwing });
const maps = (of = () => new Map()) => Object.fromEntries(SHELVES.map((shelf) => [shelf, of()]));

/** One copy is asked to wait; whether another one, or the same again, then does. */
async function cooperates(first, second = first, hintMs = 5_000) {
  const clock = virtualTime();
  const transport = new Transport();
  const server = await lab([{ status: 429, headers: { 'retry-after-ms': hintMs } }]);
  const init = { method: 'POST', body: '{}', fetch: transport.fetch };
  await first.aiFetch(server.here(MODEL), { ...init, maxRetries: 0 });
  const call = second.aiFetch(server.here(MODEL), init);
  await pass(clock, hintMs - 1, transport);
  const waited = transport.sends.length === 1;
  await pass(clock, 121_000, transport);
  expect((await call).status).to.equal(200);
  for (const { engine, telemetry } of [first, second]) {
    expect(telemetry().circuits).to.be.an('array');
    expect(engine()).to.equal(ENGINE);
  }
  return waited;
}

describe('a container of somebody else', () => {
  /** Those in which nothing can be kept give way to a new one, all others serve. */
  const CONTAINERS = {
    'a number': () => 7,
    'null': () => null,
    'a text': () => 'steadfetch',
    'a function': () => throwing,
    'an array': () => [],
    'an empty object': () => ({}),
    'an empty frozen object': () => Object.freeze({}),
    'maps that are none': () => maps(() => ({})),
    'frozen, with maps that are none': () => Object.freeze(maps(() => [])),
    'one map missing': () => ({ gates: new Map(), budgets: new Map() }),
    'getters that throw': () => Object.defineProperties({}, Object.fromEntries(SHELVES.map((shelf) => [shelf, { get: throwing }]))),
    'a proxy that always throws': broken,
    'maps that only look like some': () => maps(() => Object.create(Map.prototype)),
    'a frozen object with maps': () => Object.freeze(maps()),
    'maps without a prototype of theirs': () => maps(() => Object.setPrototypeOf(new Map(), null)),
    'a class of maps whose get throws': () => maps(() => new (class extends Map { get = throwing; })()),
  };
  for (const [name, container] of Object.entries(CONTAINERS)) {
    it(`is survived: ${name}`, async () => {
      replace(globalThis, KEY, container());
      expect(await cooperates(await copy(), await copy()), 'waits').to.equal(true);
    });
  }

  it('that nobody can replace leaves each copy to itself, with one warning', async () => {
    const other = await frame('/tests/browser/realm.html');
    const warnings = [];
    other.console.warn = (...args) => warnings.push(args.join(' '));
    other.Object.defineProperty(other, KEY, { value: 7 });
    const mine = await copy(other);
    const shortly = 300; // the other window has clocks of its own
    expect(await cooperates(mine, mine, shortly), 'waits').to.equal(true);
    expect(other[KEY]).to.equal(7);
    expect(warnings).to.have.length(1);
  });

  for (const [order, loaders] of Object.entries({ 'after': [copy, laterCopy], 'before': [laterCopy, copy] })) {
    it(`of version 1.1, loaded ${order} this one, is shared, and what it added is kept`, async () => {
      const [first, second] = [await loaders[0](), await loaders[1]()];
      expect(await cooperates(first, second), 'waits').to.equal(true);
      const later = [first, second].find(({ additions }) => additions);
      const { entries, lost } = later.additions();
      expect(entries).to.be.above(0);
      expect(lost).to.deep.equal([]);
    });
  }

  it('is forgotten by resetPageState(), and only what is this version\'s', async () => {
    const first = await laterCopy(), second = await copy();
    await cooperates(first, second);
    second.resetPageState();
    for (const shelf of SHELVES) expect(pageState()[shelf].size, shelf).to.equal(0);
    expect(first.additions().lost).to.deep.equal([]);
  });
});

describe('an entry of somebody else', () => {
  /** In the place of a number. */
  const JUNK = {
    'NaN': NaN, 'Infinity': Infinity, '-Infinity': -Infinity, '1e300': 1e300, '-1': -1, 'a text': '5', 'null': null, 'undefined': undefined,
    'a BigInt': 10n, 'a Symbol': Symbol('5'), 'an object': { valueOf: throwing }, 'a Date': new Date(), 'a function': throwing,
  };
  /** In the place of the whole. */
  const WHOLE = {
    'a number': () => 5, 'a text': () => 'x', 'null': () => null, 'undefined': () => undefined, 'a function': () => throwing, 'a proxy that throws': broken,
    'getters that throw': (entry) => Object.defineProperties({}, Object.fromEntries(Object.keys(entry).map((name) => [name, { get: throwing, enumerable: true }]))),
    'setters that throw': (entry) => Object.defineProperties({}, Object.fromEntries(Object.keys(entry).map((name) => [name, { get: () => entry[name], set: throwing, enumerable: true }]))),
    'a frozen one': (entry) => Object.freeze({ ...entry }),
    'an empty one': () => ({}),
  };

  /** Has a copy write entries of every kind, spoils them, and calls again. */
  async function spoilt(spoil) {
    const mine = await copy();
    await written(mine);
    const spoiled = [];
    for (const shelf of SHELVES) {
      for (const [key, entry] of pageState()[shelf]) {
        spoiled.push(shelf);
        pageState()[shelf].set(key, spoil(entry));
      }
    }
    expect(spoiled).to.include.members(SHELVES);
    await cooperates(await copy(), mine);
    expect(JSON.stringify(mine.telemetry())).to.be.a('string');
  }

  /** A gate, a budget, a circuit and its window. */
  async function written({ aiFetch }) {
    const server = await lab([{ status: 429, headers: { 'retry-after-ms': 1 } }, { status: 502, body: 'down' }]);
    const circuit = { minimumCalls: 1, failureRate: 0.1, openMs: 1 };
    await aiFetch(server.here(MODEL), { method: 'POST', body: '{}', backoff: { baseMs: 1 }, maxRetries: 1, circuit });
    for (const shelf of SHELVES) expect(pageState()[shelf].size, shelf).to.equal(1);
  }

  for (const [name, junk] of Object.entries(JUNK)) {
    it(`is survived: ${name} in the place of each number`, async () => {
      await spoilt((entry) => Object.fromEntries(Object.keys(entry).map((field) => [field, junk])));
    });
  }
  for (const [name, spoil] of Object.entries(WHOLE)) {
    it(`is survived: ${name} in its place`, () => spoilt(spoil));
  }

  it('is dropped alone: one bad number does no harm to the entries beside it', async () => {
    const mine = await copy();
    await written(mine);
    const good = maps();
    for (const shelf of SHELVES) {
      const [[key, entry]] = pageState()[shelf];
      good[shelf].set('https://elsewhere.example', { ...entry }).set(key, { ...entry });
      entry[Object.keys(entry)[0]] = NaN;
      pageState()[shelf].set('https://elsewhere.example', { ...good[shelf].get(key) });
    }
    await cooperates(mine);
    for (const shelf of SHELVES) {
      expect(pageState()[shelf].get('https://elsewhere.example'), shelf).to.deep.equal(good[shelf].get('https://elsewhere.example'));
    }
  });
});

it('the page state stays small, however many back ends a page talks to', async () => {
  const { aiFetch } = await copy();
  const fetch = async () => new Response('', { status: 502 });
  for (let n = 0; n < 2_000; n++) await aiFetch('/api/x', { method: 'POST', maxRetries: 0, fetch, circuit: { key: `model ${n}`, minimumCalls: 1 } });
  for (const shelf of SHELVES) expect(pageState()[shelf].size, shelf).to.be.at.most(1_000);
  expect(pageState().circuits.has('model 1999')).to.equal(true);
});
