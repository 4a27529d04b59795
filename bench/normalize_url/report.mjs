import { barsOf, lines } from '../lines.mjs';
import { NEW } from './groups.mjs';

/** New ones as parts of the regular expressions' time, repeated ones in microseconds. */
const GOALS = { chromium: 0.8, firefox: 1.2 };
const AGAIN = { most: 0.15, ofMicros: true };

export default (found) => ({
  text: lines('`normalizeUrl` beside regular expressions', 'an address', found),
  bars: barsOf('6. `normalizeUrl` (goal)', found, (browser, title) => (title.startsWith(NEW) ? { most: GOALS[browser] } : AGAIN)),
});
