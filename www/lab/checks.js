// Holds what a scene promises against the server's own log. The page believes neither the package nor itself.

import { count } from './words.js';

/** Sentences `{ text, ok }` about a finished run: what is the case, and whether it was promised. */
export function checks({ scene, lanes: [ours, helper], cancelled }) {
  const promised = cancelled() ? scene.outcome : scene.outcomeIfLeftAlone ?? scene.outcome;
  return [...ofCall(ours, promised), ...ofWorld(ours, promised), ...(helper ? ofHelper(helper, scene.compare) : [])];
}

/** The package's own account, where the log has something to say about it. */
function ofCall({ seen: { info, caught, response }, calls, after, result, shown }, promised) {
  const { requests } = after;
  const attempts = after.seen - (promised.redirects ?? 0);
  const sent = calls.reduce((sum, { info }) => sum + info.attempts.length, 0);
  const found = [
    ended(calls, promised),
    {
      text: `${count(sent, 'attempt')}, says the library; ${count(attempts, 'request')}, says the server${promised.redirects ? ', and a redirect that the browser followed' : ''}.`,
      ok: sent === attempts && after.seen === promised.requests,
    },
  ];
  if (promised.throttled !== undefined) {
    const throttled = requests.filter(({ status }) => status === 429).length;
    found.push({ text: `The server throttled ${count(throttled, 'request')}.`, ok: throttled === promised.throttled });
  }
  if (promised.page) found.push({ text: `The page was recognised: “${info.page}”.`, ok: info.page === promised.page });
  if (promised.oneKey) {
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    found.push({ text: 'Every request carried the same idempotency key.', ok: keys.size === 1 && keys.has(info.idempotencyKey) });
  }
  if (promised.reading) found.push({ text: `Reading ended with ${caught?.code ?? 'nothing'}.`, ok: caught?.code === promised.reading });
  if (promised.result) found.push({ text: `The result says “${result.outcome}”.`, ok: result.outcome === promised.result });
  if (promised.source) found.push({ text: `The answer is labelled “${response.source}”.`, ok: response.source === promised.source });
  if (promised.says) found.push(says(shown, promised));
  if (promised.clientLeft) {
    found.push({ text: 'The server saw that nobody listened any more.', ok: requests.at(-1).outcome === 'client-left' });
  }
  return found;
}

/** Every call ended as promised: the first, and the others by `others`, or like the first. */
function ended([{ info }, ...more], { stop, others = more.map(() => stop) }) {
  const stops = more.map(({ info }) => info.stop);
  const text = more.length === 0 ? `The call ended with “${info.stop}”.` : `The calls ended with ${words([info.stop, ...stops])}.`;
  return { text, ok: info.stop === stop && JSON.stringify(stops) === JSON.stringify(others) };
}

/** `“success” (10 times)` */
function words(stops) {
  const times = new Map();
  for (const stop of stops) times.set(stop, (times.get(stop) ?? 0) + 1);
  return [...times].map(([stop, n]) => `“${stop}” (${count(n, 'time')})`).join(', ');
}

function ofHelper(lane, promised) {
  const { seen } = lane.after;
  const sent = { text: `The server saw ${count(seen, 'request')}.`, ok: seen === promised.requests };
  const said = promised.says ? [says(lane.shown, promised)] : [];
  return [sent, ...ofWorld(lane, promised), ...said].map(({ text, ok }) => ({ text: `Helper: ${text}`, ok }));
}

const says = (shown, promised) => ({ text: `The page says ${shown.at(-1)}`, ok: shown.at(-1) === promised.says });

/** What the calls have left behind. */
function ofWorld(lane, promised) {
  const { modelCalls } = lane.after;
  const found = [];
  if (promised.itemsAdded !== undefined) {
    const added = itemsAdded(lane);
    found.push({ text: `The list has ${count(added, 'item')} more.`, ok: added === promised.itemsAdded });
  }
  if (promised.modelCalls !== undefined) {
    const text = `The model was asked ${modelCalls === 1 ? 'once' : `${modelCalls} times`}.`;
    found.push({ text, ok: modelCalls === promised.modelCalls });
  }
  return found;
}

/** How many items the list has gained during the run. */
export function itemsAdded({ before, after }) {
  const size = (account) => account.lists.Orders?.count ?? 0;
  return size(after) - size(before);
}
