// Where the account of a call is found again by the Response or the error it ended with. It lives and goes with
// that object, which itself is never changed.

const accounts = new WeakMap();

/** What is kept: numbers and error names as Rust packed them, and the request's own words. */
export function note(numbers, errors, call, endpoint, answer) {
  const { url, method, key } = call;
  return { numbers: numbers.slice(), errors, url, method, key, endpoint, answer };
}

/** An object that two calls ended with has no account any more. */
export function remember(of, account) {
  if (of !== null && (typeof of === 'object' || typeof of === 'function')) accounts.set(of, accounts.has(of) ? undefined : account);
}

export const recall = (of) => accounts.get(of);
