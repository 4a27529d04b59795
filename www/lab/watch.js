// What calls can be seen to do, from the package's own reports: `onRetry` before each wait, `onDone` at the end. The
// scenes get the functions of the package under their own names, with these two already in.

import { fate } from './words.js';

/**
 * `tools` for a scene's code; `calls`, which fill while it runs, and `seen`, the first of them; and `course()`, the
 * attempts and waits so far.
 */
export function watch(steadfetch) {
  const first = unseen();
  const calls = [first];

  /** Notes when a call begins, and reports to the scene's own hooks, too. */
  function watched(create, defaults = {}) {
    return async (input, init = {}) => {
      const seen = first.startedAt === null ? first : unseen();
      if (seen !== first) calls.push(seen);
      seen.startedAt = performance.now();
      seen.deadlineMs = init.timeout ?? defaults.timeout ?? null;
      const onRetry = (event) => {
        seen.retries.push(event);
        init.onRetry?.(event);
      };
      const onDone = (info) => (seen.info = info);
      seen.response = await create({ ...defaults, onDone })(input, { ...init, onRetry });
      return seen.response;
    };
  }
  /** Told by what became of the write, since there need not be a Response. */
  async function writeOnce(input, init) {
    const watchedWrite = watched(({ onDone }) => (input, init) => steadfetch.writeOnce(input, { ...init, onDone }));
    const result = await watchedWrite(input, init);
    first.sentence = fate(result.status);
    return result;
  }
  const tools = {
    ...steadfetch,
    askAi: watched(({ onDone }) => (input, init) => steadfetch.askAi(input, { ...init, onDone })),
    streamAi: (response, options) => (first.reading = steadfetch.streamAi(response, options)),
    writeOnce,
    spFetch: watched(steadfetch.createSpFetch),
    aiFetch: watched(steadfetch.createAiFetch),
    createAiFetch: (defaults) => watched(steadfetch.createAiFetch, defaults),
    explain(of) {
      if (of instanceof Error) first.caught = of;
      return (first.sentence = steadfetch.explain(of));
    },
  };
  const others = () => calls.slice(1).map((seen) => ({ startsMs: seen.startedAt - first.startedAt, ...course(seen) }));
  return { seen: first, calls, tools, course: () => ({ ...course(first), others: others() }) };
}

const unseen = () => ({ startedAt: null, deadlineMs: null, retries: [], info: null, response: null, sentence: null, caught: null, reading: null });

/** Exact once the account is there, estimated before. */
function course(seen) {
  return {
    attempts: seen.info ? seen.info.attempts.map(exact) : seen.startedAt === null ? [] : estimated(seen.retries),
    waits: seen.retries.map((event) => ({ after: event.attempt, plannedMs: event.delayMs, why: reason(event) })),
    endedMs: seen.info && seen.info.totalMs,
    notWaitedMs: seen.info?.stop === 'wait-exceeds-time-left' ? seen.info.retryAfterMs : null,
  };
}

function exact({ startedMs, elapsedMs, status, error }) {
  return { fromMs: startedMs, toMs: startedMs + elapsedMs, status, error };
}

/** Each wait that was announced ended one attempt and leads to the next. */
function estimated(retries) {
  const attempts = [{ fromMs: 0, toMs: null, status: null, error: null }];
  for (const { attempt, elapsedMs, status, error, delayMs } of retries) {
    if (attempt === 0) {
      attempts[0].fromMs = elapsedMs + delayMs; // held back before the first send
      continue;
    }
    Object.assign(attempts.at(-1), { toMs: elapsedMs, status, error: error?.name ?? null });
    attempts.push({ fromMs: elapsedMs + delayMs, toMs: null, status: null, error: null });
  }
  return attempts;
}

function reason({ reason, retryAfterMs, status }) {
  if (reason === 'cooling-down') return 'the server asked this page to wait';
  if (reason === 'circuit-open') return 'the back end is left alone';
  if (retryAfterMs > 0) return { hintMs: retryAfterMs };
  if (reason === 'still-running') return 'first attempt still running';
  return status === 429 || status === 503 ? 'own back-off, at least a second' : 'own back-off, random';
}
