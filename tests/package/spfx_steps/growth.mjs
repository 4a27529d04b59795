// What steadfetch adds to a web part: every script that SPFx wrote for it, against those of the same web part with plain
// `fetch`. The record is bench/spfx_size.txt.

import { readFileSync, writeFileSync } from 'node:fs';
import { sizes, table } from '../../../xtask/node/compressed.mjs';
import { engineChunk, scripts, webParts } from './solution.mjs';

const RECORD = new URL('../../../bench/spfx_size.txt', import.meta.url);
const MOST = 1.01; // of what is on record

function rows() {
  const parts = webParts();
  const chunk = engineChunk();
  const entries = Object.values(parts).map(({ entry }) => entry);
  const measured = Object.entries(scripts()).map(([name, bytes]) => [name, sizes(bytes)]);
  // A chunk may belong to any web part with steadfetch: each is charged with all of them.
  const shared = measured.filter(([name]) => name !== chunk && !entries.includes(name)).map(([, size]) => size);
  const of = (name) => measured.find(([other]) => other === name)[1];

  const plain = of(parts['plain-fetch'].entry);
  const grown = (name, part) => {
    const row = { name };
    for (const column of Object.keys(plain)) {
      row[column] = [of(parts[part].entry), ...shared].reduce((sum, size) => sum + size[column], -plain[column]);
    }
    return row;
  };
  return [grown('both functions', 'orders'), grown('every export', 'every-export'), { name: 'js-engine chunk', ...of(chunk) }];
}

const text = () => table('bytes added to a web part', rows());

export function record() {
  writeFileSync(RECORD, `${text()}\n`);
  return text();
}

/** `both functions   122,488  54,000  48,323` → 48323 */
function recorded(name) {
  const line = readFileSync(RECORD, 'utf8').split('\n').find((other) => other.startsWith(name));
  if (!line) throw new Error(`${name} is not in bench/spfx_size.txt`);
  return Number(line.trim().split(/\s+/).pop().replaceAll(',', ''));
}

/** Says how much it is; more than is on record is an error. */
export function growth() {
  const now = rows();
  const said = now.map(({ name, brotli }) => `${name}: ${brotli.toLocaleString('en')} bytes`).join(', ');
  const more = now.filter(({ name, brotli }) => brotli > recorded(name) * MOST).map(({ name }) => name);
  if (more.length > 0) throw new Error(`${said}; more than bench/spfx_size.txt has for ${more.join(' and ')}: record it with --record`);
  return said;
}
