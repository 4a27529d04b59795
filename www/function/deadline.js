// How long a call may take. The platform's load balancer ends a request after 230 s with an answer of its own that a
// browser page may not even read; the client has a deadline, too. This one ends before both, with an answer that can
// be read.

const CLIENT_SAYS = 'x-deadline-ms'; // the milliseconds it has left, as aiFetch's `deadlineHeader` sends them

/** Begins now. The client may shorten our own time and never extend it. */
export function startDeadline(headers, { ownMs, replyMs }) {
  const began = performance.now();
  const totalMs = Math.min(ownMs, clientMs(headers) - replyMs);
  const elapsedMs = () => performance.now() - began;
  return { elapsedMs, leftMs: () => totalMs - elapsedMs() };
}

/** `"250000"` → 250000. What is no plain number says nothing. */
function clientMs(headers) {
  const text = headers.get(CLIENT_SAYS) ?? '';
  return /^\d+$/.test(text) ? Number(text) : Infinity;
}

export class TimeUp extends Error {
  name = 'TimeUp';
}

/** What `work(signal)` comes to. When the time is over it is aborted, and not waited for. */
export async function within(ms, work) {
  const controller = new AbortController();
  let timer;
  const timeUp = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeUp();
      reject(error);
      controller.abort(error);
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
