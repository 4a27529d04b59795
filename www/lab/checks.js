// Holds what a scene promises against the server's own log. The page believes neither the package nor itself.

import { count } from './words.js';

/** Sentences `{ text, ok }` about a finished run: what is the case, and whether it was promised. */
export function checks({ scene, lanes: [ours, helper], cancelled }) {
  const promised = cancelled() ? scene.outcome : scene.outcomeIfLeftAlone ?? scene.outcome;
  return [...ofCall(ours, promised), ...ofWorld(ours, promised), ...(helper ? ofHelper(helper, scene.compare) : [])];
}

/** The package's own account, where the log has something to say about it. */
function ofCall({ seen: { info, caught }, after }, promised) {
  const { requests } = after;
  const attempts = after.seen - (promised.redirects ?? 0);
  const found = [
    { text: `The call ended with “${info.stop}”.`, ok: info.stop === promised.stop },
    {
      text: `${count(info.attempts.length, 'attempt')}, says the library; ${count(attempts, 'request')}, says the server${promised.redirects ? ', and a redirect that the browser followed' : ''}.`,
      ok: info.attempts.length === attempts && after.seen === promised.requests,
    },
  ];
  if (promised.page) found.push({ text: `The page was recognised: “${info.page}”.`, ok: info.page === promised.page });
  if (promised.oneKey) {
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    found.push({ text: 'Every request carried the same idempotency key.', ok: keys.size === 1 && keys.has(info.idempotencyKey) });
  }
  if (promised.reading) found.push({ text: `Reading ended with ${caught?.code ?? 'nothing'}.`, ok: caught?.code === promised.reading });
  if (promised.clientLeft) {
    found.push({ text: 'The server saw that nobody listened any more.', ok: requests.at(-1).outcome === 'client-left' });
  }
  return found;
}

function ofHelper(lane, promised) {
  const { seen } = lane.after;
  const sent = { text: `The server saw ${count(seen, 'request')}.`, ok: seen === promised.requests };
  return [sent, ...ofWorld(lane, promised)].map(({ text, ok }) => ({ text: `Helper: ${text}`, ok }));
}

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
