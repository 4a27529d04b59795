// Many calls, a few at a time: more than a browser sends at once, and few enough for each to be sent soon.

const AT_ONCE = 24;

/** The results of `act(0)` to `act(count - 1)`. */
export async function each(count, act, atOnce = AT_ONCE) {
  const results = new Array(count);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const at = next++;
      results[at] = await act(at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
