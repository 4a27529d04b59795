import { barsOf, lines } from '../lines.mjs';

export default (found) => ({
  text: lines('Reading a stream beside `eventsource-parser`', 'a kilobyte', found),
  bars: barsOf('6. Streams (goal)', found, () => ({ most: 1 })),
});
