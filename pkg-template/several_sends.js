// What `writeOnce` and `readAll` have in common: one call of theirs makes several of spFetch, and all of these are to be
// what the first one was, whatever the caller does to its parts meanwhile. So the request is taken apart once, at the
// beginning, by the code that spFetch itself uses: a wrong option is refused before anything is sent.

import { bounded } from './bounded.js';
import { call } from './engine.js';
import { OPTION_NAMES, bare, checkAll } from './snippets/options.js';
import { COPY, copyMembers, copyOf, join, takeCall } from './snippets/request.js';

/** A GET may take so long, and so may everything here that reads. */
const READ_MS = 120000;

/**
 * `own`: what these checks are for, which spFetch does not know. `parts`: the rest, taken apart. `input` and `init`: what
 * to send. `readMs`: how long a read may take.
 */
export function takeApart(input, init, checks) {
  const names = Object.keys(checks);
  const members = copyMembers('init', init, names.concat(OPTION_NAMES));
  const own = checkAll(checks, members);
  for (const name of names) delete members[name];
  const parts = takeCall('sp', input, members);
  const again = bare(parts.init);
  for (const name of OPTION_NAMES) if (name in parts.options) again[name] = parts.options[name];
  if (parts.headers) again.headers = typeof parts.headers === 'function' ? parts.headers : join(parts.headers, []);
  return { own, parts, input: parts.isRequest ? input : parts.url, init: again, readMs: parts.options.totalMs || READ_MS };
}

/** Bytes and forms as they are now; the body of a Request, which can be read only once. */
export async function keepBody({ parts, input, init }) {
  if (parts.body !== COPY) return;
  const given = init.body !== undefined && init.body !== null;
  init.body = given ? copyOf(init.body) : await bounded(parts, input.arrayBuffer(), Infinity);
}

/**
 * One call of spFetch, which never rejects: its `answer`, or its `error`; and `account`, of which nothing is left where
 * no engine kept one.
 */
export async function send(input, init) {
  let account;
  const { onDone } = init;
  const noted = (info) => {
    const { attempts, page, retryAfterMs, totalMs } = info;
    const last = attempts[attempts.length - 1];
    // A write is repeated for its digest alone, after an answer that proves that it was refused.
    account = { page, retryAfterMs, totalMs, sent: last !== undefined && last.decision !== 'retry' };
    return onDone && onDone(info);
  };
  try {
    return { answer: await call('spFetch', input, Object.assign({}, init, { onDone: noted })), account };
  } catch (error) {
    return { error, account };
  }
}
