// `coolDown: 'tabs'`: a gate that closes here closes in the user's other tabs of this origin, too, as far as they ask
// for it. What arrives is looked at like anything else that others put on the page.

import { putLast } from './page_state.js';

const CHANNEL = 'steadfetch.page/1';
const LONGEST_MS = 120000;

/** When (wall clock) what other tabs said ends, by the gate's key. */
const heard = new Map();
let channel;

function open() {
  if (channel !== undefined) return channel;
  try {
    channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => hear(data);
    // In Node it must not keep the process alive.
    if (channel.unref) channel.unref();
  } catch (_) {
    channel = null; // then this page does not share
  }
  return channel;
}

function hear(data) {
  if (typeof data !== 'object' || data === null) return;
  const { gate, leftMs, sentAt } = data;
  if (typeof gate !== 'string' || gate.length > 500 || typeof leftMs !== 'number' || typeof sentAt !== 'number') return;
  const now = Date.now();
  const left = leftMs - Math.max(0, now - sentAt);
  if (!(left > 0 && left <= LONGEST_MS)) return;
  putLast(heard, gate, now + left);
}

/** Milliseconds that another tab said this call's gate is closed for, told once. */
export function heardFromTabs(call) {
  open();
  const until = heard.get(call.gateKey);
  if (until === undefined) return 0;
  heard.delete(call.gateKey);
  return until - Date.now();
}

export function tellTabs(call, leftMs) {
  try {
    open().postMessage({ gate: call.gateKey, leftMs, sentAt: Date.now() });
  } catch (_) {
    // None, or closed.
  }
}

export const forgetTabs = () => heard.clear();
