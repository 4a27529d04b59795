// A page on a virtual clock, and a transport that does what a script says. Nothing here waits for real time: `finish`
// moves the clock from timer to timer until the call has settled, and a call that waits for nothing is an error.

import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import { forgetPage, withGlobals } from './fresh_package.mjs';

export const LIST = 'https://contoso.sharepoint.com/sites/a/_api/web/lists';
export const MODEL = 'https://func.contoso.net/api/answer';

const { crypto } = globalThis;
let randomByte;

/** A page where nothing has happened yet. Timers and both clocks stand still until told to move, and the random unit is 0. */
export function virtualClock(test) {
  forgetPage();
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_700_000_000_000 });
  test.after(() => clock.uninstall());
  const fill = (bytes) => (randomByte === undefined ? crypto.getRandomValues(bytes) : bytes.fill(randomByte));
  withGlobals(test, { crypto: { getRandomValues: fill } });
  randomByte = 0;
  return clock;
}

/** From now on every random byte is this: 0 makes the random unit 0, 255 almost 1. Undefined: they are random. */
export function randomBits(byte) {
  randomByte = byte;
}

/** The random unit of `randomBits(255)`. */
export const ALMOST_ONE = (2 ** 32 - 1) / 2 ** 32;

// ---- steps of a script: functions that are called as a transport is

export const answer = (status, headers, body = null) => () => new Response(body, { status, headers });

/** As fetch fails when there is no network. */
export const noNetwork = () => () => Promise.reject(new TypeError('Failed to fetch'));

/** The step `ms` later, unless the signal ends it, as it ends fetch. */
export const after = (ms, step) => (input, init) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(step(input, init)), ms);
    const { signal } = init;
    if (!signal) return;
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
  });

/** Meanwhile the machine sleeps: only the wall clock goes on. */
export const asleep = (clock, ms, step) => (input, init) => {
  clock.setSystemTime(Date.now() + ms);
  return step(input, init);
};

/** Never answers, whatever the signal says. */
export const silence = () => () => new Promise(() => {});

/**
 * A transport that plays these steps, one a send, and notes what it was given. A script begins on a page where nothing
 * has happened, too.
 */
export function scripted(...steps) {
  forgetPage();
  return serving((number) => steps[number]);
}

/** A transport for calls that share a page: `respond` gives the step for each send by its number, 0 for the first. */
export function serving(respond) {
  const began = Date.now();
  const sends = [];
  const fetch = (input, init) => {
    const number = sends.length;
    sends.push({ at: Date.now() - began, input, init, headers: new Headers(init.headers) });
    const step = respond(number, input);
    assert.ok(step, `send number ${number + 1}, after the end of the script`);
    return step(input, init);
  };
  return { fetch, sends, at: () => sends.map((send) => send.at) };
}

// ---- moving on

/** Lets everything happen that needs no time. */
export async function settle() {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** Moves the clock until the call has settled, and gives what it settled with. */
export async function finish(clock, call) {
  let settled = false;
  const done = () => (settled = true);
  call.then(done, done);
  for (;;) {
    await settle();
    if (settled) return call;
    assert.ok(clock.countTimers() > 0, 'deadlock: the call waits for something that nobody will do');
    await clock.nextAsync();
  }
}

/** The error that the call rejects with. */
export async function failure(clock, call) {
  const outcome = await finish(clock, call).then((value) => ({ value }), (error) => ({ error }));
  assert.ok('error' in outcome, `resolved with ${outcome.value && outcome.value.status}`);
  return outcome.error;
}

/** How every one of these calls ends, be it with an answer or an error. */
export const ends = (clock, calls) => finish(clock, Promise.all(calls.map((call) => call.catch((error) => error))));
