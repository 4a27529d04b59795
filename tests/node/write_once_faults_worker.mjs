// Plays the calls of write_once_faults.test.mjs in a thread of its own: the test runner follows every promise of its own
// thread, which costs as much as the calls themselves.

import { parentPort, workerData } from 'node:worker_threads';
import { aftermath, naively, once, script } from '../faults/writes.mjs';
import { each } from '../browser/each.mjs';
import { scopesAt } from '../lab/scopes.mjs';
import { startLab } from '../lab/start.mjs';
import * as steadfetch from '../../pkg/index.mjs';

const { worlds, callsEach, atOnce, helped } = workerData;
const server = await startLab();
const lab = scopesAt(server.address);

/** Plays all calls in a world of their own. */
async function play(world) {
  const scope = await lab(script({ ...world, keepAlive: true }));
  const results = await each(callsEach, (call) => (helped ? naively(scope, call) : once(steadfetch, scope, call)), atOnce);
  return aftermath(scope, world, results);
}

const courses = await Promise.all(worlds.map(play));
parentPort.postMessage(courses.flat());
server.stop();
