// What happened, as rows of a timeline: pure, so that a frame while it runs and the last one are made alike.

import { count, duration, ending } from './words.js';

/**
 * Rows `{ kind, name, fromMs, toMs, tone, said, open }`. `open` is a row that has not ended at `nowMs`.
 * @param course what `watch.js` gives: attempts, waits, when the call ended
 * @param scale the times in words are those of life: so many times longer
 */
export function rows({ course, nowMs, ...told }) {
  const { others = [] } = course;
  const all = [{ startsMs: 0, ...course }, ...others];
  return all.flatMap((course, index) => {
    const made = rowsOfCall({ course, nowMs: nowMs - course.startsMs, ...told });
    return others.length === 0 ? made : made.map((row) => placed(row, course.startsMs, index + 1));
  });
}

/** A row of one call among several. */
function placed(row, startsMs, number) {
  const name = `${number}: ${row.name}`;
  return { ...row, name, fromMs: row.fromMs + startsMs, toMs: row.toMs + startsMs };
}

function rowsOfCall({ course, nowMs, bodyEndedMs = null, streams = false, scale = 1 }) {
  const { attempts, waits, endedMs, notWaitedMs } = course;
  const upTo = endedMs ?? nowMs;
  const said = (ms) => duration(ms * scale);
  const made = [];
  const heldBack = waits.find(({ after }) => after === 0);
  if (heldBack) made.push(waitRow(heldBack, 0, attempts[0]?.fromMs ?? upTo, upTo, said));
  attempts.forEach((attempt, index) => {
    const number = index + 1;
    if (attempt.fromMs <= upTo) made.push(attemptRow(attempt, number, upTo, said));
    const wait = waits.find(({ after }) => after === number);
    if (wait) made.push(waitRow(wait, attempt.toMs, attempts[number]?.fromMs ?? Infinity, upTo, said));
  });
  if (notWaitedMs !== null) made.push(notWaitedRow(endedMs, notWaitedMs));
  if (streams && endedMs !== null) made.push(bodyRow(endedMs, bodyEndedMs, nowMs));
  return made;
}

/** How a lane went, in a few words for its heading; empty until it has ended. */
export function summary({ course, scale = 1 }) {
  const calls = [{ startsMs: 0, ...course }, ...(course.others ?? [])];
  if (calls.some(({ endedMs }) => endedMs === null)) return '';
  const sends = calls.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const endedMs = Math.max(...calls.map(({ startsMs, endedMs }) => startsMs + endedMs));
  return `${count(sends, 'send')} in ${duration(endedMs * scale)}`;
}

function attemptRow({ fromMs, toMs, status, error }, number, upTo, said) {
  const name = `Attempt ${number}`;
  if (toMs === null) {
    return { kind: 'attempt', name, fromMs, toMs: upTo, open: true, tone: 'open', said: `${said(upTo - fromMs)} …` };
  }
  const tone = status === null || status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
  return { kind: 'attempt', name, fromMs, toMs, open: false, tone, status: ending({ status, error }), said: said(toMs - fromMs) };
}

function waitRow({ plannedMs, why }, fromMs, nextMs, upTo, said) {
  const toMs = Math.min(nextMs, upTo);
  const open = nextMs > upTo;
  const because = why.hintMs ? `the server asked for ${said(why.hintMs)}` : why;
  const length = said(open ? plannedMs : toMs - fromMs);
  return { kind: 'wait', name: 'Wait', fromMs, toMs, open, tone: 'wait', said: `${length}: ${because}` };
}

function notWaitedRow(fromMs, hintMs) {
  const said = `${duration(hintMs)}: asked for, and not begun`;
  return { kind: 'not-waited', name: 'No wait', fromMs, toMs: fromMs + hintMs, open: false, tone: 'wait', said };
}

function bodyRow(fromMs, endedMs, nowMs) {
  const toMs = endedMs ?? nowMs;
  const open = endedMs === null;
  const said = `${duration(toMs - fromMs)}${open ? ' …' : ', then cut off'}`;
  return { kind: 'body', name: 'Body', fromMs, toMs, open, tone: 'ok', said };
}
