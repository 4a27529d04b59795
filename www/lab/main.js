// The page's own course: which scene is on, what runs, and what a key or a button does.

import { element } from './element.js';
import { begin } from './run.js';
import { GROUPS, SCENES } from './scenes/index.js';
import * as stage from './stage.js';

let running = null; // the latest run; an earlier one goes on unseen
let scene = null;

const after = (scene) => SCENES[(SCENES.indexOf(scene) + 1) % SCENES.length];

function choose(id) {
  scene = SCENES.find((scene) => scene.id === id) ?? SCENES[0];
  running?.cancel();
  running = null;
  stage.present(scene, after(scene));
  for (const button of document.querySelectorAll('#scenes button')) {
    const chosen = button.dataset.scene === scene.id;
    if (chosen) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}

async function run() {
  const mine = (running = begin(scene));
  stage.started(scene);
  requestAnimationFrame(function draw() {
    if (running !== mine) return;
    stage.frame(mine);
    requestAnimationFrame(draw);
  });
  try {
    await mine.finished;
    if (running === mine) stage.ended(mine);
  } catch (error) {
    if (running === mine) stage.failed(error);
    console.error(error);
  } finally {
    if (running === mine) running = null;
  }
}

/** Shows a scene under its own address and runs it. */
function play(id) {
  history.pushState(null, '', `#${id}`);
  choose(id);
  document.getElementById('stage').scrollIntoView();
  return run();
}

function sceneButton({ id, title, hint }) {
  const button = element('button', { type: 'button', 'data-scene': id }, element('b', {}, title), element('small', {}, hint));
  button.addEventListener('click', () => play(id));
  return element('li', {}, button);
}

for (const { title, call, scenes } of GROUPS) {
  const heading = element('h2', {}, `${title}: `, element('code', {}, call));
  document.getElementById('scenes').append(heading, element('ul', {}, ...scenes.map(sceneButton)));
}
for (const button of document.querySelectorAll('[data-play]')) {
  button.addEventListener('click', () => play(button.dataset.play));
}
document.getElementById('run').addEventListener('click', run);
document.getElementById('cancel').addEventListener('click', () => running?.cancel());
document.getElementById('next').addEventListener('click', () => play(after(scene).id));
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && running?.scene.cancellable) running.cancel();
});
addEventListener('popstate', () => choose(location.hash.slice(1)));

choose(location.hash.slice(1));
document.body.dataset.ready = 'true';
