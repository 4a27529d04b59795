// What the page goes through while a call is under way: it may be frozen, put into the back/forward cache, lose its
// network and find it again.

import { monotonicNow } from './request.js';

const listenAs = (verb, target, type, listener) => {
  try {
    // A worker has no document, and Node no events.
    if (target && target.addEventListener) target[`${verb}EventListener`](type, listener);
  } catch (_) {
    // Of somebody's own making.
  }
};

// ---- freeze and pagehide

let suspendedAt;
let listens = false;
const suspended = () => {
  if (suspendedAt === undefined) suspendedAt = monotonicNow();
};

/** From now on a page that is told to stop counts. The listeners are there once, for the life of the page. */
export function watchPage() {
  suspendedAt = undefined;
  if (listens) return;
  listens = true;
  listenAs('add', globalThis.document, 'freeze', suspended);
  listenAs('add', globalThis, 'pagehide', suspended);
}

/** Milliseconds since the page was told to stop, once; 0 if it was not. */
export function takeSuspension() {
  const at = suspendedAt;
  suspendedAt = undefined;
  return at === undefined ? 0 : Math.max(1, monotonicNow() - at);
}

// ---- online

export function offline() {
  try {
    return navigator.onLine === false;
  } catch (_) {
    return false;
  }
}

/** How often the page has come online since this was first asked for the call. */
export function cameOnline(call) {
  if (!call.online) {
    call.online = { times: 0, heard: () => call.online.times++ };
    listenAs('add', globalThis, 'online', call.online.heard);
  }
  return call.online.times;
}

export function stopListening({ online }) {
  if (online) listenAs('remove', globalThis, 'online', online.heard);
}
