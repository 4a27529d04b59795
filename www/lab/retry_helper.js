// What the lab compares with: the retry helper found in many a web part, and no straw man. It honours Retry-After and
// backs off, as the popular clients do; like them it asks neither which method it repeats nor how long the failure took.

import { streamReader } from './stream_reader.js';

export async function retryHelper(url, init, { fetch, wait, backoffMs = 1_000 }, retries = 2) {
  for (let repeat = 0; ; repeat += 1) {
    let seconds = 0;
    try {
      const response = await fetch(url, init);
      if (![429, 502, 503, 504].includes(response.status) || repeat === retries) return response;
      seconds = Number(response.headers.get('Retry-After'));
    } catch (error) {
      if (repeat === retries) throw error;
    }
    await wait(seconds * 1000 || backoffMs * 2 ** repeat);
  }
}

/**
 * The helper in the place of spFetch and aiFetch, and what it did: the same form as `watch.js` gives. In a scene at
 * 1 : scale its back-off shrinks with the rest.
 */
export function watchHelper({ scale = 1 }) {
  const seen = { startedAt: null, deadlineMs: null, attempts: [], waits: [], endedMs: null };
  const now = () => performance.now() - seen.startedAt;

  async function recordedFetch(url, init) {
    const attempt = { fromMs: now(), toMs: null, status: null, error: null };
    seen.attempts.push(attempt);
    try {
      const response = await fetch(url, init);
      attempt.status = response.status;
      attempt.hintMs = Number(response.headers.get('Retry-After')) * 1000;
      return response;
    } catch (error) {
      attempt.error = error.name;
      throw error;
    } finally {
      attempt.toMs = now();
    }
  }
  function recordedWait(ms) {
    const asked = seen.attempts.at(-1).hintMs > 0;
    seen.waits.push({ after: seen.attempts.length, plannedMs: ms, why: asked ? { hintMs: ms } : 'own back-off' });
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
  const send = async (url, init) => {
    seen.startedAt = performance.now();
    try {
      return await retryHelper(url, init, { fetch: recordedFetch, wait: recordedWait, backoffMs: 1_000 / scale });
    } finally {
      seen.endedMs = now();
    }
  };
  // It has no way to look for anything.
  const writeOnce = async (url, { find, settleMs, ...init }) => ({ status: (await send(url, init)).ok ? 'written' : 'failed' });
  const tools = { spFetch: send, aiFetch: send, writeOnce, createAiFetch: () => send, streamAi: streamReader, explain: () => '' };
  const course = () => ({ attempts: seen.attempts, waits: seen.waits, endedMs: seen.endedMs, notWaitedMs: null });
  return { seen, tools, course };
}
