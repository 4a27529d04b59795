// Draws rows on a time axis: a list that reads well aloud, with a bar in each row for those who see it.

import { element } from './element.js';
import { duration } from './words.js';

const STEPS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000];

/** How far the axis goes: over everything drawn, and not narrower than the scene is long. */
export function axisEnd(lanes, atLeastMs) {
  const ends = lanes.flatMap(({ rows, deadlineMs }) => [...rows.map((row) => row.toMs), deadlineMs ?? 0]);
  return Math.max(atLeastMs, ...ends) * 1.02;
}

/** Makes the rows in `list` what `rows` says. Elements stay while their number does, so that a frame costs little. */
export function drawRows(list, rows, { endMs, deadlineMs }) {
  const wanted = rows.length;
  while (list.children.length > wanted) list.lastElementChild.remove();
  while (list.children.length < wanted) list.append(emptyRow());
  list.classList.toggle('has-deadline', deadlineMs !== null);
  list.style.setProperty('--deadline', (deadlineMs ?? 0) / endMs);
  rows.forEach((row, index) => fill(list.children[index], row, endMs));
}

function emptyRow() {
  const track = element('span', { class: 'track', 'aria-hidden': 'true' }, element('span', { class: 'bar' }));
  return element('li', { class: 'row' }, element('span', { class: 'row-name' }), track, element('span', { class: 'row-said' }));
}

function fill(item, row, endMs) {
  const [name, track, said] = item.children;
  Object.assign(item.dataset, { kind: row.kind, tone: row.tone, open: row.open });
  const bar = track.firstElementChild.style;
  bar.setProperty('--from', row.fromMs / endMs);
  bar.setProperty('--length', (row.toMs - row.fromMs) / endMs);
  setText(name, row.name);
  const text = `${row.status ?? ''}|${row.said}`;
  if (said.dataset.text === text) return;
  said.dataset.text = text;
  said.replaceChildren(...(row.status ? [element('b', { class: 'status' }, row.status), ' '] : []), row.said);
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** The ticks below the last timeline, and the deadline's flag. For the eye only: the rows say it in words. */
export function drawAxis(axis, { endMs, deadlineMs, scale = 1 }) {
  const step = (STEPS_MS.find((ms) => (endMs * scale) / ms <= 6) ?? endMs * scale) / scale;
  const ticks = [];
  for (let ms = 0; ms <= endMs; ms += step) {
    // The flag says more than a tick, so it gets the room.
    if (deadlineMs !== null && Math.abs(ms - deadlineMs) < 0.16 * endMs) continue;
    ticks.push(element('span', { class: 'tick', style: `--at: ${ms / endMs}` }, ms === 0 ? '0' : duration(ms * scale)));
  }
  const flag = deadlineMs !== null && element('span', { class: 'flag', style: `--at: ${deadlineMs / endMs}` }, `deadline ${duration(deadlineMs)}`);
  axis.replaceChildren(...ticks, ...(flag ? [flag] : []));
}
