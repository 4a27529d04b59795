// Runs one scene for real: a fresh world on the lab server, the scene's code through the package, and, where the scene
// compares, the same lines at the same time with the usual retry helper in a world of its own.

import * as steadfetch from 'steadfetch';
import { watchHelper } from './retry_helper.js';
import { openScope } from './server.js';
import { watch } from './watch.js';

/** What is under way. `lanes` fill while it runs; `finished` resolves when the server's log is read, too. */
export function begin(scene) {
  steadfetch.resetPageState(); // what a scene before was told is not for this one
  const controller = new AbortController();
  const lanes = [lane(scene, watch(steadfetch), scene.id)];
  if (scene.compare) lanes.push(lane(scene, watchHelper(scene), `${scene.id}-helper`));
  const finished = Promise.all(lanes.map((lane) => play(scene, lane, controller.signal)));
  return { scene, lanes, finished, cancel: () => controller.abort(), cancelled: () => controller.signal.aborted };
}

function lane(scene, { seen, calls, tools, course }, scopeName) {
  return { seen, calls, tools, course, scopeName, shown: [], words: '', result: null, bodyEndedMs: null, before: null, after: null };
}

async function play(scene, lane, signal) {
  const scope = await openScope(lane.scopeName, scene.script);
  lane.before = await scope.account();
  await scene.call({ ...surroundings(scene, scope, lane), ...lane.tools, signal });
  if (scene.streams) lane.bodyEndedMs = performance.now() - lane.seen.startedAt;
  lane.result = (await lane.seen.reading?.result) ?? null;
  lane.after = await scope.settled();
  if (lane.seen.info && lane.seen.sentence === null) {
    const { response } = lane.seen;
    lane.seen.sentence = response.message ?? steadfetch.explain(response); // askAi says it itself
  }
}

/** What a scene's code finds there, beside the package's functions. */
function surroundings(scene, scope, lane) {
  return {
    itemsUrl: scope.address("/sites/sales/_api/web/lists/getbytitle('Orders')/items"),
    chatUrl: scope.address('/api/chat', scene.elsewhere),
    backupUrl: scope.address('/api/backup'),
    json: { Accept: 'application/json', 'Content-Type': 'application/json' },
    order: JSON.stringify({ Title: 'Order 1004' }),
    question: JSON.stringify({ question: 'When will my order arrive?' }),
    show: (text) => lane.shown.push(String(text)),
    moment: () => new Promise((resolve) => setTimeout(resolve, 300)),
    write: (text) => void (lane.words += text),
    words: new WritableStream({ write: (text) => void (lane.words += text) }),
  };
}
