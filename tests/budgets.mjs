// What a call and a bundle may cost where it can be counted, so that growth shows in a diff. What was saved is written down as
// well, or it could be spent in silence. Times are not in here: `cargo xtask bench` measures them, and nobody judges them.

/**
 * A success with defaults, on a page where the endpoint is known.
 *   turns        promise turns from the call to its answer, of which the transport needs one
 *   into, outOf  calls into the wasm and out of it: each costs about as much as ten of its instructions
 *   allocations  texts that are put into the wasm's memory
 *   timers       timers set, all of which are cleared again: the one that the page's limits and heartbeat share
 *   listeners    on the caller's signal, where there is one
 *   followers    signals made to follow it, however many calls there are: Firefox never lets go of one
 */
export const SUCCESS = {
  spFetch: { turns: 2, into: 2, outOf: 16, allocations: 0, timers: 1 },
  aiFetch: { turns: 2, into: 2, outOf: 21, allocations: 0, timers: 1 },
  listeners: 0,
  followers: 1,
};

/**
 * Brotli 11, at most, of rows of target/size.json; the bar of the first is 24,000, the goal 20,000 (bench/SIZE.md). 350 bytes of
 * it are the gate that opens slower when it is closed again and the circuit that judges by the latest attempts: what they are
 * good for stands in bench/RESULTS.md.
 */
export const BYTES = {
  'spFetch and aiFetch': 41_900,
  'readAiResult and streamAi': 30_300,
  'every export': 77_000,
};
