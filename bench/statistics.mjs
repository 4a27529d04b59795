// What is said of many measured numbers.

/** The number below which this share of them lies. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))];
}

/** The middle and the quarters beside it. */
export const quarters = (numbers) => ({ low: quantile(numbers, 0.25), middle: quantile(numbers, 0.5), high: quantile(numbers, 0.75) });

/** The middle and the interval that holds the true one 19 times in 20, whatever the distribution: by the binomial one of ranks. */
export function medianInterval(numbers) {
  const reach = 0.98 / Math.sqrt(numbers.length);
  return { low: quantile(numbers, 0.5 - reach), middle: quantile(numbers, 0.5), high: quantile(numbers, 0.5 + reach) };
}

/** Number by number. */
export const differences = (of, from) => of.map((number, at) => number - from[at]);
export const ratios = (of, to) => of.map((number, at) => number / to[at]);
