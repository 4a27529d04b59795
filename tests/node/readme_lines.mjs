// The lines of the README's section "With what you already use", to be run as they stand there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const ROW = /^\| (?<library>[^|]+) \| `(?<line>[^`]+)` \|/gm;
const lines = new Map([...README.matchAll(ROW)].map(({ groups }) => [groups.library, groups.line]));

/** What the line for this library evaluates to; `names` are those that a reader has imported or of their own. */
export function readmeLine(library, names) {
  const line = lines.get(library);
  assert.ok(line, `the README has no line for ${library}`);
  return new Function(...Object.keys(names), `return ${line}`)(...Object.values(names));
}
