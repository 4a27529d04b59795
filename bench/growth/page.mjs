// What a call costs, and what the page holds, with ever more endpoints, origins and calls under way.

import * as steadfetch from '/pkg/index.mjs';
import { importSized } from '../../tests/browser/wasm_size.mjs';
import { measure } from '../compare.mjs';
import { heap } from '../news.mjs';
import { placesOnOneOrigin, placesOnOrigins } from '../places.mjs';
import { CALLS, CONTROL, COUNTS, PLACES, key } from './scales.mjs';

/** Rounds of calls one after the other, and of many under way. */
const ROUNDS = 20, FLIGHTS = 5;
/** So many calls are measured in one piece. */
const PIECE = 200;
/** More than any table of a page holds: so many places are visited before the time is taken, if there are so many. */
const KNOWN = 300;
/** Weak tables have room for all calls since the last collection. */
const COLLECT_EACH = 500;
const ELSEWHERE = 'https://elsewhere.example/api/items';
const MOST = COUNTS[COUNTS.length - 1];

const places = { endpoints: placesOnOneOrigin(MOST), origins: placesOnOrigins(MOST) };
const answer = () => new Response('{}', { headers: { 'content-type': 'application/json' } });
const stub = () => Promise.resolve(answer());
/** While calls are held, what they wait for. */
let released;
const holding = () => released.then(answer);

export default async function run() {
  const fetch = globalThis.fetch;
  globalThis.fetch = stub;
  const times = { ...(await costOfPlaces()), ...(await costOfFlights()) };
  const held = { ...(await holdsPlaces()), ...(await holdsFlights()) };
  globalThis.fetch = fetch;
  return { times, held };
}

const each = (lines, make) => Object.fromEntries(Object.keys(lines).flatMap((line) => COUNTS.map((count) => [key(line, count), make(line, count)])));

// ---- endpoints and origins

async function costOfPlaces() {
  const visits = each(PLACES, (line, count) => {
    const [name, kind] = line.split(' ');
    let next = 0;
    return async (calls) => {
      for (let n = 0; n < calls; n++) await steadfetch[name](places[kind][next++ % count]);
    };
  });
  return measure({
    ways: Object.fromEntries(Object.entries(visits).map(([way, visit]) => [way, () => visit(PIECE)])),
    prepare(_, way) {
      steadfetch.resetPageState();
      steadfetch.resetTelemetry();
      return visits[way](Math.min(Number(way.split(' ').pop()), KNOWN));
    },
    count: PIECE,
    rounds: ROUNDS,
  });
}

/** What the page holds before the first and after the first so many places. */
async function holdsPlaces() {
  const found = {};
  for (const line of [CONTROL, ...Object.keys(PLACES)]) {
    const [name, kind] = line.split(' ');
    const { size, resetPageState, resetTelemetry, ...copy } = await importSized(`/pkg/index.mjs?holds=${line}`);
    const send = name === 'fetch' ? stub : copy[name];
    let looks, done;
    const upTo = async (count) => {
      while (done < count) {
        await send(places[kind][done++]);
        if (done % COLLECT_EACH === 0) await heap();
      }
      return holds(size);
    };
    // For the first time also the code is made faster, which takes memory.
    for (let time = 0; time < 2; time++) {
      resetPageState();
      resetTelemetry();
      done = 0;
      await send(ELSEWHERE);
      looks = [await holds(size)];
      for (const count of COUNTS) looks.push(await upTo(count));
    }
    found[line] = looks;
  }
  return found;
}

async function holds(size) {
  const { js, native, wasmIncluded } = await heap();
  return js + native + (wasmIncluded ? 0 : size().memory);
}

// ---- calls under way

/** A function that begins `count` calls and another one that ends them. */
function flights(copy, line) {
  const [name, signalled] = line.split(' ');
  const init = signalled && { signal: new AbortController().signal };
  const send = name === 'fetch' ? holding : copy[name];
  return (count) => {
    let release;
    released = new Promise((resolve) => (release = resolve));
    const calls = Array.from({ length: count }, () => send('/api/items', init));
    return () => {
      release();
      return Promise.all(calls);
    };
  };
}

async function costOfFlights() {
  globalThis.fetch = holding;
  const times = (count) => Math.ceil(PIECE / count);
  const found = await measure({
    ways: each(CALLS, (line, count) => async (begin) => {
      for (let n = times(count); n > 0; n--) await begin(count)();
    }),
    prepare: (_, way) => flights(steadfetch, way.slice(0, way.lastIndexOf(' '))),
    count: each(CALLS, (_, count) => count * times(count)),
    rounds: FLIGHTS,
  });
  globalThis.fetch = stub;
  return found;
}

/** What the page holds before, and while so many are under way. */
async function holdsFlights() {
  const found = {};
  globalThis.fetch = holding;
  for (const line of Object.keys(CALLS)) {
    const { size, ...copy } = await importSized(`/pkg/index.mjs?flights=${line}`);
    const begin = flights(copy, line);
    for (let n = 0; n < 50; n++) await begin(100)();
    await heap();
    await begin(1)();
    const looks = [await holds(size)];
    for (const count of COUNTS) looks.push(await during(begin, count, () => holds(size)));
    found[line] = looks;
  }
  globalThis.fetch = stub;
  return found;
}

/** A function of its own, so that nothing holds the calls afterwards. */
async function during(begin, count, look) {
  const end = begin(count);
  const seen = await look();
  await end();
  return seen;
}
