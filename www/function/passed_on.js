// The model's headers that concern the client. cors.js exposes them by name, since a browser shows a page of another
// origin nothing else; `x-ratelimit-*` would be taken literally.

const QUOTA = ['limit', 'remaining', 'reset'].flatMap((what) =>
  ['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((unit) => [
    `x-ratelimit-${what}-${unit}`,
    `x-rate-limit-${what}-${unit}`,
    `anthropic-ratelimit-${unit}-${what}`,
  ]),
);

export const PASSED_ON = [
  'retry-after', 'retry-after-ms', 'x-ms-retry-after-ms',
  'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', ...QUOTA,
  'x-should-retry',
  'x-request-id', 'x-ms-request-id', 'apim-request-id',
];

/** Those that are there, as a plain object. */
export function passedOn(headers) {
  const there = PASSED_ON.map((name) => [name, headers?.get(name)]).filter(([, value]) => value);
  return Object.fromEntries(there);
}
