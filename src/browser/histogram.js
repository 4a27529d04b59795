// Milliseconds counted in a log-linear histogram of fixed size: sixteen steps an octave, from 1/16 ms to 2^22 ms (70
// minutes). What is read out of it is the middle of a step and at most 1/32 (3.2 %) beside what was put in; shorter times
// count as 0, longer ones as the longest. One histogram is 417 numbers of 32 bits: 1668 bytes, whatever it has seen.
//
// The step is read off the bits of a float: its exponent is the octave, and the first four bits of its mantissa are
// the step.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const MANTISSA = 23, STEP = MANTISSA - 4;
/** The step below 1/16 ms: the exponent is stored with 127 added to it. */
const ZERO = ((127 - 4) << 4) - 1;
const STEPS = 26 * 16 + 1;

export const histogram = () => new Uint32Array(STEPS);

/** The step of a time. */
export function stepOf(ms) {
  float[0] = Math.max(ms, 0);
  return Math.min(Math.max((bits[0] >>> STEP) - ZERO, 0), STEPS - 1);
}

/** The time that a share of all did not exceed, by rank; null where nothing was counted. */
export function quantile(counts, share) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let rank = Math.max(Math.ceil(all * share), 1), step = -1;
  while (rank > 0) rank -= counts[++step];
  if (step === 0) return 0;
  bits[0] = ((step + ZERO) << STEP) + (1 << (STEP - 1));
  return float[0];
}
