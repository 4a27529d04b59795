import { lines } from '../lines.mjs';

export default (found) => ({ text: lines('Reading a stream beside `eventsource-parser`', found) });
