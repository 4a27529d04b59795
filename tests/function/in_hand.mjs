// The function of www/function on loopback, with its clock and its model in the test's hand. Requests are real ones.

import { createAsk } from '../../www/function/ask.js';
import { virtualClock } from '../node/scripted_fetch.mjs';
import { serve } from './serve.mjs';

export const PAGE = 'https://contoso.sharepoint.com';
export const QUESTION = JSON.stringify({ question: 'Why?' });
export const ANSWER = { answer: 'Because.', finish_reason: 'stop' };

const PATIENCE_MS = 60_000; // of real time; the virtual one stands still
const { hrtime } = process;

/** How long something may take that is about to happen. */
function patience(condition) {
  const end = hrtime.bigint() + BigInt(PATIENCE_MS) * 1_000_000n;
  return () => {
    if (hrtime.bigint() > end) throw new Error(`not so: ${condition}`);
  };
}

/** Lets real things happen, and no virtual time pass, until `condition` holds. */
export async function until(condition) {
  const check = patience(condition);
  while (!condition()) {
    check();
    await new Promise(setImmediate);
  }
}

/** Lets virtual time pass, slowly enough for requests on the way, until `condition` holds. */
export async function passUntil(clock, condition) {
  const check = patience(condition);
  while (!condition()) {
    check();
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    if (!condition()) await clock.tickAsync(50);
  }
}

/** A model whose answers the test gives: `calls[0].answer()`, or `calls[0].fail(error)`. It pays no heed to its signal. */
export function heldModel() {
  const calls = [];
  const askModel = (question, signal) =>
    new Promise((resolve, reject) => {
      calls.push({ question, signal, answer: (answer = ANSWER) => resolve(answer), fail: reject });
    });
  return { askModel, calls };
}

/** A model that answers at once: with what this gives, or with the error that it throws. */
export function readyModel(answer = () => ANSWER) {
  const calls = [];
  const askModel = async (question, signal) => {
    calls.push({ question, signal });
    return answer(calls.length);
  };
  return { askModel, calls };
}

/** `post()` asks as the page would; the rest is the app's own account, see serve.mjs. */
export async function functionApp(t, model, { instead, ...options } = {}) {
  const clock = virtualClock(t);
  const app = await serve(createAsk({ askModel: model.askModel, origins: [PAGE], ...options }), { instead });
  t.after(app.stop);
  const url = `${app.origin}/api/ask`;
  const post = (headers, body = QUESTION, method = 'POST') =>
    fetch(url, {
      method,
      headers: { origin: PAGE, ...headers },
      body: method === 'POST' ? body : undefined,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  return { ...app, clock, url, post };
}
