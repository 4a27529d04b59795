// Thousands of writes through a server that refuses them, carries them out and says otherwise, loses its answers, and
// carries them out late; and what there is in its lists afterwards. Run in Node and in both browsers, once by writeOnce
// and once by the usual retry helper.

import { retryHelper } from '../../www/lab/retry_helper.js';

/** Short enough for thousands, long enough for a busy machine to land in time what is to land in time. */
const SETTLE_MS = 600;
const IN_TIME_MS = 100;
const TOO_LATE_MS = 5 * SETTLE_MS;
const STALE_MS = 250;
/** How long a send may stay unanswered: so long that only those are ended by it that are never answered. */
const ATTEMPT_MS = 10_000;
/** Calls that share a list: `find` need not look through thousands of items. */
const LIST_OF = 50;

const answered = (status, lands) => ({ ends: 'answered', lands, step: { status, ...landing(lands) } });
const lost = (step, lands, weight) => ({ ends: 'lost', lands, step: { ...step, ...landing(lands) }, weight });

function landing(lands) {
  return { never: { apply: false }, 'at once': { apply: true }, 'in time': { applyAfterMs: IN_TIME_MS }, 'too late': { applyAfterMs: TOO_LATE_MS } }[lands];
}

/** What a POST may meet, and what then becomes of it. */
const FAULTS = [
  ...['never', 'at once', 'in time', 'too late'].flatMap((lands) => [
    answered(429, lands),
    answered(503, lands),
    lost({ status: 504 }, lands),
    lost({ drop: 'rst-mid-headers' }, lands),
  ]),
  lost({ status: 502 }, 'at once'),
  lost({ stall: 'before-headers' }, 'at once', 1),
  lost({ stall: 'before-headers' }, 'never', 1),
  // The headers come, the body does not: it is written, and told so.
  { ends: 'written', lands: 'at once', step: { drop: 'rst-mid-body', apply: true } },
  { ends: 'failed', lands: 'at once', step: { status: 500, apply: true } },
  { ends: 'failed', lands: 'never', step: { status: 500 } },
  { ends: 'refused', lands: 'never', step: { status: 400 } },
];
const NORMAL = { ends: 'written', lands: 'at once', normal: true };
/** By the unique column. */
const NOT_AGAIN = { ends: 'refused', lands: 'never' };

/**
 * A world: `seed` of its chance; `stale`: reads are late; `unique`: the lists have a unique column; `keepAlive`: for a
 * client that never sends again on its own when a connection ends, as browsers do.
 */
export function script({ seed, stale, unique, keepAlive }) {
  return {
    random: { seed, share: 0.6, match: { method: 'POST' }, faults: FAULTS.map(({ step, weight = 6 }) => ({ step, weight })) },
    rules: [
      { match: { method: 'GET', path: 'find=fails' }, steps: [{ status: 500 }], then: 'repeat' },
      { match: { method: 'GET', path: 'find=throttled' }, steps: [{ status: 429 }], then: 'repeat' },
      { match: { method: 'GET', path: 'find=lost' }, steps: [{ drop: 'rst-mid-headers' }], then: 'repeat' },
      { match: { method: 'GET', path: 'find=login' }, steps: [{ page: 'login' }], then: 'repeat' },
    ],
    sharepoint: { staleMs: stale ? STALE_MS : 0, unique: unique ? 'Title' : undefined },
    log: { limit: 50_000, bodyBytes: 0 },
    keepAlive,
  };
}

/** One in ten finds fails, each time it is asked. */
const failing = (call) => (call % 10 === 3 ? ['fails', 'throttled', 'lost', 'login'][Math.floor(call / 10) % 4] : undefined);

const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
const itemsOf = (scope, call) => scope.base(`/sites/a/_api/web/lists/getbytitle('List ${Math.floor(call / LIST_OF)}')/items`);
const KEY = 'key-';
const keyOf = (call) => KEY + call;
const write = (call) => ({ method: 'POST', headers, body: JSON.stringify({ Title: keyOf(call) }) });
/** Each call speaks for itself: neither a gate nor a budget is to decide here. */
const ALONE = { coolDown: false, retryBudget: false };

/** One call of writeOnce; gives its result, without what is large. */
export async function once({ writeOnce, spFetch }, scope, call) {
  const items = itemsOf(scope, call);
  const find = async () => {
    const address = `${items}?$filter=Title eq '${keyOf(call)}'&find=${failing(call) || 'works'}`;
    const response = await spFetch(address, { ...ALONE, headers, maxRetries: 0 });
    if (!response.ok) throw new Error(`find was answered with ${response.status}`);
    return (await response.json()).value[0];
  };
  const init = { ...write(call), ...ALONE, find, settleMs: SETTLE_MS, timeout: { attemptMs: ATTEMPT_MS } };
  // On a machine that is busy enough, time runs out for answers that no script holds back.
  let unanswered = 0;
  init.onDone = ({ attempts }) => (unanswered += attempts.filter(({ error }) => error !== null).length);
  const { status, sends, response, cause } = await writeOnce(`${items}?call=${call}`, init);
  await drain(response || cause);
  return { status, sends, unanswered };
}

/** An unread body keeps its connection, and thousands of them a browser busy. */
async function drain(of) {
  if (of && of.body) await of.body.cancel().catch(() => {}); // the server may have cut it
}

/** The same by the usual retry helper; gives what it would tell its caller. */
export async function naively(scope, call) {
  const send = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) });
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  try {
    const response = await retryHelper(`${itemsOf(scope, call)}?call=${call}`, write(call), { fetch: send, wait, backoffMs: SETTLE_MS / 2 });
    await drain(response);
    return { status: response.ok ? 'written' : 'failed' };
  } catch (error) {
    return { status: 'failed' };
  }
}

/** What every call met and left behind, once all that lands late has landed. */
export async function aftermath(scope, { unique = false }, results) {
  const landing = (requests) => {
    const calls = new Map();
    for (const request of requests) {
      if (metBy(request).lands !== 'never') calls.set(request.query, (calls.get(request.query) || 0) + 1);
    }
    return [...calls.values()].reduce((sum, times) => sum + (unique ? 1 : times), 0);
  };
  const expected = landing((await scope.account()).requests.filter(isWrite));
  const total = (lists) => Object.values(lists).reduce((sum, { count }) => sum + count, 0);
  await scope.until(({ lists }) => total(lists) >= expected, COUNTS_ONLY);
  const { lists, requests } = await scope.account();
  if (total(lists) !== expected) throw new Error(`${total(lists)} items by ${expected} writes that land`);

  const courses = results.map((result, call) => ({ call, unique, result, sends: [], items: 0, findFails: Boolean(failing(call)) }));
  for (const request of requests.filter(isWrite)) {
    const { ends, lands, normal } = metBy(request);
    const lateMs = lands === 'never' ? null : request.appliedMs - request.endedMs;
    courses[Number(/call=(\d+)/.exec(request.query)[1])].sends.push({ ends, lands, normal, lateMs });
  }
  for (const { Title } of Object.values(lists).flatMap(({ items }) => items)) courses[Number(Title.slice(KEY.length))].items += 1;
  return courses;
}

/** Thousands of requests and items need not be told again and again. */
const COUNTS_ONLY = `?items=false&from=${Number.MAX_SAFE_INTEGER}`;

const isWrite = ({ method }) => method === 'POST';

function metBy({ by, status }) {
  if (by !== 'normal') return FAULTS[Number(/\d+/.exec(by)[0])];
  return status === 400 ? NOT_AGAIN : NORMAL;
}

/** A write that was answered 429 or 503, and landed when nobody looks for it any more. */
const landsLate = ({ ends, lateMs }) => ends === 'answered' && lateMs > SETTLE_MS;

/** What is wrong with a course of writeOnce: sentences, none if all is as promised. */
export function broken(course) {
  const { call, unique, result, sends, items, findFails } = course;
  const is = (...statuses) => statuses.includes(result.status);
  const landsTooLate = sends.some(({ lateMs }) => lateMs > SETTLE_MS);
  const lost = result.unanswered > 0 || sends.some(({ ends }) => ends === 'lost');
  const laws = {
    'it was sent again after something else than a 429 or 503': sends.slice(0, -1).some(({ ends }) => ends !== 'answered'),
    'it was sent more often than twice': sends.length > 2 || result.sends > 2,
    'it was sent again although find had failed': findFails && result.sends > 1,
    // One that went unanswered may never have arrived.
    'it says another number of sends': result.sends < sends.length || result.sends > sends.length + result.unanswered,
    'there are several items although none landed late after a 429 or 503': items > 1 && !sends.some(landsLate),
    'there are several items although the column is unique': items > 1 && unique,
    'it is told as there and is not': is('written', 'already-applied') && items === 0,
    'it is told as not there and is, although nothing landed late': is('rejected', 'not-applied') && items > 0 && !landsTooLate,
    'it is told as unknown although no answer was lost and find worked': is('unknown') && !lost && !findFails,
    'an answer was lost and it is told as not there': is('rejected', 'not-applied') && lost,
    'it has a status that nobody knows': !is('written', 'already-applied', 'rejected', 'not-applied', 'unknown'),
  };
  return Object.keys(laws).filter((law) => laws[law]).map((law) => `call ${call}: ${law}: ${JSON.stringify(course)}`);
}

/** Lines for a person. */
export function summary(courses) {
  const { length } = courses;
  const number = (condition, of = courses) => of.filter(condition).length;
  const share = (n) => `${n} (${((100 * n) / length).toFixed(1)} %)`;
  const by = (status) => number(({ result }) => result.status === status);
  const unknown = courses.filter(({ result }) => result.status === 'unknown');
  const doubled = courses.filter(({ items }) => items > 1);
  const late = ({ sends }) => sends.some(landsLate);
  return [
    `${length} writes, ${number(({ sends }) => !sends.every(({ normal }) => normal))} of which met a fault`,
    `writeOnce: ${['written', 'already-applied', 'rejected', 'not-applied'].map((status) => `${by(status)} ${status}`).join(', ')}`,
    `writeOnce: ${share(unknown.length)} unknown; ${number(({ items }) => items > 0, unknown)} of them were there, ${number(({ findFails }) => findFails, unknown)} had a find that fails`,
    `writeOnce: ${number(late, doubled)} doubled by a 429 or 503 that was carried out later than ${SETTLE_MS} ms, ${doubled.length - number(late, doubled)} otherwise`,
  ];
}

/** The same for the retry helper. */
export function helpersSummary(courses) {
  const doubled = courses.filter(({ items }) => items > 1).length;
  const there = courses.filter(({ items, result }) => items > 0 && result.status === 'failed').length;
  return `retry helper: ${doubled} of ${courses.length} doubled, ${there} told as failed and there`;
}
