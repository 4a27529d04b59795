import { lines } from '../lines.mjs';

export default (found) => ({ text: lines('`normalizeUrl` beside regular expressions', found) });
