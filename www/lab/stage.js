// The right half of the page: one scene with its code, the run while it goes on, and what came of it.

import * as steadfetch from 'steadfetch';
import { checks } from './checks.js';
import { element } from './element.js';
import { evidence } from './evidence.js';
import { retryHelper } from './retry_helper.js';
import { rows, summary } from './rows.js';
import { highlighted, sample } from './source.js';
import { streamReader } from './stream_reader.js';
import { axisEnd, drawAxis, drawRows } from './timeline.js';
import { count, duration, meaning } from './words.js';

const part = (name) => document.getElementById(name);

/** Shows a scene that has not run yet. */
export function present(scene, next) {
  setState('idle');
  part('stage').dataset.scene = scene.id;
  part('scene-title').textContent = scene.title;
  part('scene-story').replaceChildren(...withCode(scene.story));
  part('scene-code').replaceChildren(highlighted(sample(scene.call, steadfetch)));
  part('scene-scale').textContent = scaleNote(scene);
  part('lane-helper').hidden = !scene.compare;
  part('helper').hidden = !scene.compare;
  const code = scene.call.toString();
  part('lane-name').textContent = ['writeOnce', 'spFetch', 'aiFetch', 'askAi'].find((name) => code.includes(`${name}(`));
  const reads = code.includes('streamAi(');
  part('lane-helper-name').textContent = part('helper-name').textContent = reads ? 'the usual stream reader' : 'the usual retry helper';
  part('helper-code').replaceChildren(highlighted((reads ? streamReader : retryHelper).toString()));
  part('next').textContent = `Next: ${next.title}`;
  part('legend-deadline').hidden = true;
  clearTimeline();
  drawAxis(part('axis'), { endMs: scene.lastsMs, deadlineMs: null, scale: scene.scale });
}

function clearTimeline() {
  for (const name of ['rows', 'helper-rows', 'sum', 'helper-sum']) part(name).replaceChildren();
}

/** The page while a run goes on; called for each frame. */
export function frame(run) {
  const { scene, lanes } = run;
  const drawn = lanes.map((lane) => drawable(scene, lane));
  const endMs = axisEnd(drawn, scene.lastsMs);
  const lists = [part('rows'), part('helper-rows')];
  const sums = [part('sum'), part('helper-sum')];
  drawn.forEach((lane, index) => {
    drawRows(lists[index], lane.rows, { endMs, deadlineMs: lane.deadlineMs });
    if (sums[index].textContent !== lane.summary) sums[index].textContent = lane.summary;
  });
  drawAxis(part('axis'), { endMs, deadlineMs: drawn[0].deadlineMs, scale: scene.scale });
  part('legend-deadline').hidden = drawn[0].deadlineMs === null;
  drawShown(lanes[0], 'shown');
  if (scene.streams && lanes[1]) drawShown(lanes[1], 'helper-shown');
}

/** What a page shows with what a lane was told. */
function drawShown({ words, shown }, name) {
  const said = [words, ...shown].filter(Boolean);
  part(name).hidden = said.length === 0;
  part(`${name}-text`).textContent = said.join('\n');
}

function drawable({ streams, scale }, { course, seen, bodyEndedMs }) {
  const nowMs = seen.startedAt === null ? 0 : performance.now() - seen.startedAt;
  const told = { course: course(), nowMs, bodyEndedMs, streams, scale };
  return { rows: rows(told), summary: summary(told), deadlineMs: seen.deadlineMs };
}

export function started(scene) {
  setState('running');
  clearTimeline();
  if (scene.cancellable) swap(part('run'), part('cancel'));
  part('shown').hidden = part('helper-shown').hidden = true;
  part('status').textContent = `Running: ${scene.title} …`;
}

/** What came of it: the verdict, both accounts, and the checks. */
export function ended(run) {
  frame(run);
  const { scene, lanes } = run;
  const { info, sentence } = lanes[0].seen;
  const found = checks(run);
  part('stop').textContent = info.stop;
  part('stop').dataset.tone = info.stop === 'success' ? 'ok' : 'stopped';
  part('meaning').textContent = scene.streams ? 'the headers came in time, and the account ends with them' : meaning(info.stop);
  part('explain').textContent = lanes[0].result ? `${sentence} What came of its answer: “${lanes[0].result.outcome}”.` : sentence;
  part('shown').hidden ||= part('shown-text').textContent === sentence; // once is enough
  part('lesson').replaceChildren(...withCode(scene.lesson));
  part('evidence').replaceChildren(...evidence(run));
  part('checks').replaceChildren(...found.map(checkLine));
  const infos = lanes[0].calls.map(({ info }) => info);
  part('call-info').textContent = JSON.stringify(infos.length > 1 ? infos : info, null, 2);
  part('deadline-note').textContent = deadlineNote(lanes[0].seen, scene);
  part('status').textContent =
    `${scene.title}: ${count(infos.flatMap(({ attempts }) => attempts).length, 'attempt')}, ended with ${info.stop}. ` +
    (found.every(({ ok }) => ok) ? 'The server’s log agrees.' : 'Not as promised: see the checks.');
  part('stage').dataset.scopes = lanes.map((lane) => lane.after.scope).join();
  setState('done');
}

/** A run that could not be played: the server is gone, or refuses the script. */
export function failed(error) {
  setState('failed');
  part('status').textContent = `The scene could not be played: ${error.message}`;
}

function setState(state) {
  part('stage').dataset.state = state;
  part('result').hidden = state !== 'done';
  swap(part('cancel'), part('run'));
  part('run').textContent = state === 'idle' ? 'Run this scene' : 'Run again';
}

/** One button in the place of another; the keyboard's focus stays where it was. */
function swap(button, other) {
  const focused = document.activeElement === button;
  other.hidden = false;
  if (focused) other.focus();
  button.hidden = true;
}

function scaleNote({ scale, lastsMs }) {
  const lasts = `about ${duration(lastsMs)}`;
  return scale ? `Runs ${scale} times faster than life, ${lasts}. The timeline shows the times of life.` : `Runs in real time, ${lasts}.`;
}

/** What the timeline does not show: the default deadline. */
function deadlineNote({ deadlineMs, info }, { scale }) {
  if (deadlineMs !== null) return '';
  const byDefault = info.attempts[0]?.allowedMs ?? null;
  if (byDefault === null) return 'No deadline: by default a write is never cut off.';
  return `Deadline by default: ${duration(byDefault)}, ${scale ? 'which is not scaled' : 'far beyond the right edge'}.`;
}

function checkLine({ text, ok }) {
  const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, ok ? '✓' : '✗');
  return element('li', { 'data-ok': String(ok) }, mark, element('span', {}, ok ? text : `Not as promised: ${text}`));
}

/** Text whose `code` is set as code. */
function withCode(text) {
  return text.split('`').map((piece, index) => (index % 2 ? element('code', {}, piece) : piece));
}
