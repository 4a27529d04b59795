// What happened, as rows of a timeline: pure, so that a frame while it runs and the last one are made alike.

import { duration, ending } from './words.js';

/**
 * Rows `{ kind, name, fromMs, toMs, tone, said, open }`. `open` is a row that has not ended at `nowMs`.
 * @param course what `watch.js` gives: attempts, waits, when the call ended
 */
export function rows({ course, nowMs, bodyEndedMs = null, streams = false, scale = 1 }) {
  const { attempts, waits, endedMs, notWaitedMs } = course;
  const upTo = endedMs ?? nowMs;
  const made = [];
  attempts.forEach((attempt, index) => {
    const number = index + 1;
    if (attempt.fromMs <= upTo) made.push(attemptRow(attempt, number, upTo, scale));
    const wait = waits.find(({ after }) => after === number);
    if (wait) made.push(waitRow(wait, attempt.toMs, attempts[number]?.fromMs ?? Infinity, upTo));
  });
  if (notWaitedMs !== null) made.push(notWaitedRow(endedMs, notWaitedMs));
  if (streams && endedMs !== null) made.push(bodyRow(endedMs, bodyEndedMs, nowMs));
  return made;
}

function attemptRow({ fromMs, toMs, status, error }, number, upTo, scale) {
  const open = toMs === null;
  const tone = open ? 'open' : status === null ? 'broken' : status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed';
  const took = duration((toMs ?? upTo) - fromMs);
  const inLife = scale === 1 || open ? '' : ` here, ${duration((toMs - fromMs) * scale)} in life`;
  const name = `Attempt ${number}`;
  return {
    kind: 'attempt', name, fromMs, toMs: toMs ?? upTo, open, tone,
    status: open ? null : ending({ status, error }),
    said: open ? `${took} …` : `${took}${inLife}`,
  };
}

function waitRow({ plannedMs, why }, fromMs, nextMs, upTo) {
  const toMs = Math.min(nextMs, upTo);
  const open = nextMs > upTo;
  const because = why.hintMs ? `the server asked for ${duration(why.hintMs)}` : why;
  return { kind: 'wait', name: 'Wait', fromMs, toMs, open, tone: 'wait', said: `${duration(open ? plannedMs : toMs - fromMs)}: ${because}` };
}

function notWaitedRow(fromMs, hintMs) {
  const said = `${duration(hintMs)}: asked for, and not begun`;
  return { kind: 'not-waited', name: 'No wait', fromMs, toMs: fromMs + hintMs, open: false, tone: 'wait', said };
}

function bodyRow(fromMs, endedMs, nowMs) {
  const toMs = endedMs ?? nowMs;
  const open = endedMs === null;
  const said = `${duration(toMs - fromMs)}${open ? ' …' : ' of words, then cut off'}`;
  return { kind: 'body', name: 'Body', fromMs, toMs, open, tone: 'ok', said };
}
