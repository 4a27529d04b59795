// What the page goes through while a call is under way: it may be frozen, put into the back/forward cache, lose its
// network and find it again. Somebody listens only while there is something to hear.

import { monotonicNow } from './request.js';

const listenAs = (verb, target, type, listener) => {
  try {
    target[`${verb}EventListener`](type, listener);
  } catch (_) {
    // A worker has no document, and Node no events.
  }
};

// ---- freeze and pagehide

let suspendedAt;
const suspended = () => {
  if (suspendedAt === undefined) suspendedAt = monotonicNow();
};

/** Begins or ends listening for a page that stops. */
export function watchPage(begin) {
  const verb = begin ? 'add' : 'remove';
  suspendedAt = undefined;
  listenAs(verb, globalThis.document, 'freeze', suspended);
  listenAs(verb, globalThis, 'pagehide', suspended);
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
