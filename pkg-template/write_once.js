// `writeOnce`: sends, looks and waits. What to do next, and what it all comes to, is decided in Rust:
// src/sharepoint/write_once. Without an engine it sends once and says what that proves.

import { bounded, pause } from './bounded.js';
import { ready } from './engine.js';
import { writes } from './extras.js';
import { keepBody, send, takeApart } from './several_sends.js';
import { discard, field, member, statusOf } from './snippets/answer.js';
import { LONGEST_TIMER_MS, aborted, reasonOf } from './snippets/attempt.js';
import { callback, check, number } from './snippets/options.js';
import { ONCE } from './snippets/request.js';
import { timeoutError, wrongOption } from './snippets/stead_error.js';

/** What is told to the machine, and the steps it answers with; 0 and above is a wait. As in src/extras/write_once.rs. */
const ANSWERED = 0, UNANSWERED = 1, NOT_SENT = 2, FOUND = 3, ABSENT = 4, FIND_FAILED = 5, WAITED = 6;
const SEND = -1, FIND = -2;
const VERDICTS = ['written', 'already-applied', 'rejected', 'not-applied', 'unknown', 'not-sent'];

const WRITING = {
  find: callback,
  maxSends: /* @__PURE__ */ check('a whole number from 1 to 10', (value) => Number.isInteger(value) && value >= 1 && value <= 10),
  settleMs: /* @__PURE__ */ number(1, 300000, 'milliseconds from 1 to 300000'),
  lostAnswer: /* @__PURE__ */ check("'stop' or 'resend'", (value) => value === 'stop' || value === 'resend'),
};

export async function writeOnce(input, init) {
  const call = takeApart(input, init, WRITING);
  const { parts, readMs, own: { find, maxSends = 2, settleMs = 10000, lostAnswer = 'stop' } } = call;
  if (/^(get|head)$/i.test(parts.method)) throw wrongOption('method', 'one that writes, such as POST', parts.method);
  callback('find', find);
  await keepBody(call);
  if ((await ready()) === 'none') return sendPlainly(call);

  const { WriteOnce } = await writes();
  // What cannot be sent twice is not sent twice.
  const write = new WriteOnce(parts.body === ONCE ? 1 : maxSends, settleMs, lostAnswer === 'resend', Math.min(readMs, LONGEST_TIMER_MS));
  let sent = {}, sends = 0, looked;
  try {
    for (let step = SEND; ; ) {
      if (step < FIND) return result(VERDICTS[FIND - 1 - step], sent, sends, looked);
      if (aborted(parts)) throw reasonOf(parts);
      if (step === SEND) {
        giveUp(sent);
        sent = await send(call.input, call.init);
        const { answer, account } = sent;
        if (!answer && aborted(parts)) throw reasonOf(parts);
        const left = !account || account.sent;
        if (left) sends += 1;
        step = answer
          ? write.tell(ANSWERED, statusOf(answer), hintOf(account), Boolean(account && account.page))
          : write.tell(left ? UNANSWERED : NOT_SENT);
      } else if (step === FIND) {
        looked = await look(parts, find, readMs);
        step = write.tell(looked.event);
      } else {
        await pause(parts, step);
        step = write.tell(WAITED);
      }
    }
  } finally {
    write.free();
  }
}

/** Asks the caller's `find`, for as long as a read may take. */
async function look(parts, find, ms) {
  const controller = typeof AbortController === 'function' ? new AbortController() : undefined;
  try {
    const asked = new Promise((resolve) => resolve(find(controller && controller.signal)));
    const found = await bounded(parts, asked, ms, () => timeoutError(ms));
    if (found === undefined || found === null) return { event: ABSENT };
    if (isUnclear(found)) throw wrongOption('find', 'a function that gives what it found, or null', found);
    return { event: FOUND, found };
  } catch (error) {
    if (controller) controller.abort(error);
    if (aborted(parts)) throw reasonOf(parts);
    return { event: FIND_FAILED, error };
  }
}

/** What looks like "not there" but is no null, and what nobody has looked into: an answer, throttled perhaps, or its body. */
const isUnclear = (found) =>
  !found || isEmpty(found) || (typeof member(found, 'json') === 'function' && statusOf(found) >= 0) || isBare(found);

const isEmpty = (list) => Array.isArray(list) && list.length === 0;

/** The body of an error, or of a list without items. */
const isBare = (found) =>
  isEmpty(member(found, 'value')) || isEmpty(member(found, 'd')) || isEmpty(member(member(found, 'd'), 'results')) ||
  [member(found, 'error'), member(found, 'odata.error')].some((error) => typeof error === 'object' && error !== null);

function result(status, sent, sends, looked) {
  const { answer, error } = sent;
  if (status === 'not-sent') throw error;
  if (status === 'written' || status === 'rejected') return { status, response: answer, sends };
  if (status === 'already-applied') {
    giveUp(sent);
    return { status, found: looked.found, sends };
  }
  const verdict = { status, cause: answer || error, sends };
  if (looked && looked.event === FIND_FAILED) verdict.findError = looked.error;
  return verdict;
}

/** Engine 'none': only what one answer proves by itself. */
async function sendPlainly({ parts, input, init }) {
  const { answer, error } = await send(input, init);
  if (!answer && aborted(parts)) throw reasonOf(parts);
  const status = answer ? statusOf(answer) : -1;
  if (status >= 200 && status < 300 && !/html/i.test(field(answer, 'content-type'))) return { status: 'written', response: answer, sends: 1 };
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { status: 'rejected', response: answer, sends: 1 };
  return { status: 'unknown', cause: answer || error, sends: 1 };
}

/** The body of an answer that nobody will get. */
function giveUp(sent) {
  if (sent.answer) discard(sent);
}

const hintOf = (account) => (account && account.retryAfterMs !== null ? account.retryAfterMs : NaN);
