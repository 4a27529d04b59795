import type { SpFetchOptions } from './index.js';

/** What is used of a `Timeline` of PnPjs, which everything that has `using` is. */
export interface SendingTimeline {
  readonly on: { readonly send: { replace(send: (url: URL, init: RequestInit) => Promise<Response>): unknown } };
}

/**
 * A behaviour for PnPjs 4 that sends by {@link spFetch}'s rules: GET and HEAD are repeated after 429, 503 or a network
 * failure, everything else is sent once. PnPjs's own sender repeats every method after 429, 503, 504 and network failures,
 * so that an item may be added twice. The `$batch` of a batch is a POST and sent once, too.
 *
 * Give it **last**: a behaviour that sends replaces the senders before it, and `SPFx()` and `BrowserFetchWithRetry()` are
 * such. Given after this one they take its place, and their repeats are back; nothing can warn of that. Everything else stays
 * PnPjs's: headers, tokens, digest, cache, batches, cancelling, parsing and errors.
 *
 * An answer that stays an error is PnPjs's `HttpRequestError` as before; the account of the call belongs to its
 * `response`: `getCallInfo(error.response)`. Do not give `digest`: PnPjs brings its own.
 * Called with anything but an instance of PnPjs, the behaviour throws `EOPTION`.
 *
 * @param options Those of {@link spFetch}, for every call. A wrong one rejects the calls with `EOPTION`.
 * @default {} the defaults of spFetch: 3 repeats, 120 000 ms for a read
 *
 * @example
 * const sp = spfi().using(SPFx(this.context), SteadFetch({ timeout: 30_000 }));
 * const items = await sp.web.lists.getByTitle('Tasks').items();
 */
export function SteadFetch(options?: SpFetchOptions): <T extends SendingTimeline>(instance: T) => T;
