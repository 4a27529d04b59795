// `askAi`: one question to a model, and what to say if it has no answer. The call itself is aiFetch's. What comes on top
// stands between it and the transport: an answer that begins with an error although its status is 200 is shown to it as
// the failure that it is, so that one set of rules (fast, budget, circuit, hints, deadline) decides on a repeat.

import { openAnswer } from './answer_reading.js';
import { sentence } from './ask_ai_words.js';
import { stopwatch } from './body.js';
import { settledOrLate } from './bounded.js';
import { call, ready } from './engine.js';
import { answers } from './extras.js';
import { FALLBACKS, firstOf } from './fallbacks.js';
import { READING } from './read_options.js';
import { getCallInfo } from './snippets/accounts.js';
import { errorName, field, member, statusOf } from './snippets/answer.js';
import { aborted, reasonOf } from './snippets/attempt.js';
import { answerRead } from './snippets/bodies.js';
import { quietly } from './snippets/events.js';
import { OPTION_NAMES, bare, callback, checkAll, checkOptions } from './snippets/options.js';
import { checkSignal, copyMembers, monotonicNow } from './snippets/request.js';
import { isSteadError } from './snippets/stead_error.js';

const ASKING = /* @__PURE__ */ Object.assign({ onText: callback }, READING, FALLBACKS);
const NAMES = /* @__PURE__ */ Object.keys(ASKING);

export async function askAi(input, init) {
  const elapsed = stopwatch();
  const request = copyMembers('init', init, NAMES.concat(OPTION_NAMES));
  const options = bare({ maxBytes: 16777216, fallbacks: [], fallbackMs: 10000 }, checkAll(ASKING, request));
  for (const name of NAMES) delete request[name];
  options.signal = checkSignal('signal' in request ? request.signal : member(input, 'signal'));
  const { slowAfterMs = 30000, attemptMs = Infinity, idleMs, totalMs, fetch } = checkOptions('ai', request);
  options.idleMs = options.idleMs || idleMs;
  // One deadline; said by the caller, it covers the body, too, even if the transport does not hear of it.
  const limits = [totalMs, options.totalMs].filter((ms) => ms !== undefined);
  if (limits.length > 0) request.timeout = { attemptMs, totalMs: Math.min(...limits) };
  Object.assign(options, { totalMs: Math.min(...limits), elapsed });

  const asked = await askModel(input, request, options, {
    fetch,
    // An attempt that is to be over by then is not held up for the sake of its first word.
    patienceMs: Math.min(slowAfterMs, attemptMs * 0.9),
  });
  const { result, failure, shown } = asked;
  const own = { text: (result && result.text) || shown || null, source: 'model' };
  const instead = failure && !shown ? await firstOf(options, failure) : undefined;
  const { text, source } = instead || (failure && own.text === null ? { text: null, source: 'none' } : own);
  return { text, source, result, failure, message: sentence(source, result, failure) };
}

/** What came of asking the model. Rejects on an abort and on `EOPTION` only. */
async function askModel(input, request, options, { fetch, patienceMs }) {
  // The engine of the fetches starts now, even if that of the readers cannot: `engine()` is to tell.
  ready();
  const readings = new WeakMap();
  let result = null, shown = '', over = false, response;
  const failed = (reason, error, of) =>
    ({ result, shown, failure: { reason, result, error, info: getCallInfo(of) } });

  const look = async (answer, sentAt) => {
    const status = statusOf(answer);
    if (over || status < 200 || status > 299) return answer;
    const reading = openAnswer(answer, options);
    readings.set(answer, reading);
    reading.first = reading.next();
    await settledOrLate(reading.first, {}, sentAt + patienceMs - monotonicNow()); // what it rejects with is heard below
    return reading.result && reading.result.retryable ? asFailure(answer, reading.result) : answer;
  };
  const transport = async (url, init) => {
    const sentAt = monotonicNow();
    return look(await (fetch ? fetch(url, init) : globalThis.fetch(url, init)), sentAt);
  };
  transport.ofPage = !fetch;
  request.fetch = transport;

  try {
    await answers(); // nothing is asked whose answer could not be read
    response = await call('aiFetch', input, request);
    const reading = readings.get(response) || openAnswer(response, options);
    try {
      for (let text = await (reading.first || reading.next()); text !== undefined; text = await reading.next()) {
        if (!options.onText) continue;
        shown += text;
        quietly(options.onText, text);
      }
    } finally {
      if (reading.result) {
        result = reading.result;
        answerRead(response, reading);
      }
    }
    const reason = reasonOfResult(result);
    return reason ? failed(reason, null, response) : { result, shown, failure: null };
  } catch (error) {
    if (aborted(options)) throw reasonOf(options);
    if (isSteadError(error, 'EOPTION')) throw error;
    return failed(reasonOfError(error), error, response || error);
  } finally {
    // Of an attempt that ran out of time nobody reads the answer any more.
    over = true;
  }
}

/** Statuses that say the same as the kinds of errors that may pass. */
const STATUSES = { rate_limited: 429, overloaded: 529 };

/** An error in a 200 as the failure that it is; its body is read. */
function asFailure(answer, { errorKind, retryAfterMs }) {
  const get = (name) => (name === 'retry-after-ms' && retryAfterMs !== null ? String(retryAfterMs) : field(answer, name) || null);
  return {
    status: STATUSES[errorKind] || 503, ok: false, headers: { get }, body: null,
    type: member(answer, 'type'), url: member(answer, 'url'), redirected: member(answer, 'redirected'),
  };
}

const REASONS_OF_CODES = [['ETIMEOUT', 'deadline'], ['ECIRCUITOPEN', 'circuit-open'], ['ECOOLINGDOWN', 'unavailable'], ['EENGINE', 'unavailable']];

function reasonOfError(error) {
  const known = REASONS_OF_CODES.find(([code]) => isSteadError(error, code));
  if (known) return known[1];
  // fetch's own error of a network failure, also that of another frame.
  return errorName(error) === 'TypeError' ? 'unavailable' : 'error';
}

const REASONS_OF_KINDS = {
  timeout: 'deadline', network: 'unavailable', server: 'unavailable', overloaded: 'unavailable', rate_limited: 'unavailable', quota: 'unavailable',
};

/** `AiFailure.reason`, or undefined for an answer that can be given out as it is. */
function reasonOfResult({ outcome, errorKind, text }) {
  if (outcome === 'truncated' || outcome === 'refused') return outcome;
  if (outcome === 'incomplete_stream' && errorKind === null) return 'unavailable';
  if (outcome === 'error' || outcome === 'incomplete_stream') return REASONS_OF_KINDS[errorKind] || 'error';
  return outcome === 'unknown' && !text ? 'error' : undefined;
}
