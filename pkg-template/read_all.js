// `readAll`: every page of a list, or an error. A list that is shorter than it is makes a synchronisation delete what is
// there, so nothing here ever gives a part of one: neither a page that failed, nor one that is no list, nor an end that
// comes because somebody stopped counting.

import { bounded } from './bounded.js';
import { ready } from './engine.js';
import { isElsewhere, takePage, trail } from './list_page.js';
import { send, takeApart } from './several_sends.js';
import { member, statusOf } from './snippets/answer.js';
import { aborted, reasonOf } from './snippets/attempt.js';
import { bodyRead } from './snippets/bodies.js';
import { quietly } from './snippets/events.js';
import { bare, callback, limit, number } from './snippets/options.js';
import { monotonicNow } from './snippets/request.js';
import { SteadError, isSteadError, timeoutError, wrongOption } from './snippets/stead_error.js';

const READING = {
  onPage: callback,
  maxItems: /* @__PURE__ */ number(0, Infinity, 'a number from 0'),
  runMs: limit,
};

export async function readAll(input, init) {
  const call = takeApart(input, init, READING);
  const { onPage, maxItems = Infinity, runMs = Infinity } = call.own;
  if (!/^get$/i.test(call.parts.method)) throw wrongOption('method', 'GET', call.parts.method);
  if (aborted(call.parts)) throw reasonOf(call.parts);
  const controller = new AbortController();
  const beganAt = monotonicNow();
  const isLate = () => monotonicNow() - beganAt >= runMs;
  const reading = { call, controller, maxItems, onPage, isLate, pages: 0, items: [] };
  reading.late = () => partial(reading, 'time is up', { cause: stop(controller, timeoutError(runMs)) });
  try {
    return await bounded(call.parts, readPages(reading), runMs, reading.late);
  } catch (error) {
    if (!aborted(call.parts)) throw error;
    throw stop(controller, reasonOf(call.parts));
  }
}

/** Ends the request that is under way; gives the reason. */
function stop(controller, reason) {
  controller.abort(reason);
  return reason;
}

async function readPages(reading) {
  const { call, controller, maxItems, onPage, items } = reading;
  const init = bare(call.init, { signal: controller.signal });
  const follow = trail(call.parts.url);
  for (let input = call.input; ; ) {
    const { items: more, link } = await readPage(reading, input, init);
    for (const item of more) items.push(item);
    reading.pages += 1;
    if (items.length > maxItems) throw partial(reading, `it has more than ${maxItems} items`);
    if (onPage) quietly(onPage, { pages: reading.pages, items: items.length });
    if (link === undefined) return items;
    const { next, wrong } = follow(link);
    if (wrong) throw partial(reading, wrong);
    // A transport that answers at once, from a cache perhaps, leaves no turn to the timer.
    if (reading.isLate()) throw reading.late();
    input = likewise(call, next);
  }
}

/** Asks the signals themselves: another listener may have kept the event from us. */
function heedEnd({ call: { parts }, controller }) {
  for (const one of [parts, controller]) if (aborted(one)) throw reasonOf(one);
}

/** The next page is asked for as the first one was: a Request also says with which credentials and so on. */
function likewise({ parts, input }, address) {
  try {
    if (parts.isRequest) return new Request(address, input);
  } catch (_) {
    // Something else that has a `url`; its headers are known.
  }
  return address;
}

async function readPage(reading, input, init) {
  const { call, controller } = reading;
  const { readMs } = call;
  if ((await ready()) === 'none') throw withoutEngine(reading);
  heedEnd(reading);
  const { answer, error, account } = await send(input, init);
  // It stopped during this page, which may have been any answer.
  if (!account && !isSteadError(error)) throw withoutEngine(reading);
  const retryAfterMs = account && account.retryAfterMs;
  if (!answer) {
    const status = member(error, 'status');
    throw partial(reading, 'a page could not be fetched', { status: typeof status === 'number' ? status : null, retryAfterMs, cause: error });
  }
  const status = statusOf(answer);
  const failed = (why, cause) => partial(reading, why, { status, retryAfterMs, cause });
  if (status !== 200) throw failed(`a page was answered with status ${status}`, answer);
  if (account.page) throw failed('HTML came in place of a page', answer);
  if (isElsewhere(call.parts.url, member(answer, 'url'))) throw failed('a page came from another origin', answer);
  let page;
  const readsAt = monotonicNow();
  try {
    const body = new Promise((resolve) => resolve(answer.json()));
    page = takePage(await bounded(controller, body, readMs - account.totalMs, () => stop(controller, timeoutError(readMs))));
  } catch (cause) {
    throw failed('a page could not be read', cause);
  }
  if (typeof page === 'string') throw failed(page, answer);
  bodyRead(answer, monotonicNow() - readsAt);
  return page;
}

/** `EPARTIALREAD`: what was read by then is counted, never given. */
function partial({ pages, items }, why, details) {
  const text = `The list was not read to its end: ${why}. Of ${pages} pages with ${items.length} items nothing is returned.`;
  return new SteadError('EPARTIALREAD', text, Object.assign({ pages, items: items.length }, details));
}

/** What cannot be told from a page in place of data must not be read as data. */
function withoutEngine(reading) {
  const cause = new SteadError('EENGINE', 'Pages cannot be told from lists without WebAssembly, so nothing is read.');
  return reading.pages === 0 ? cause : partial(reading, 'the engine stopped', { cause });
}
