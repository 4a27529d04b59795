// The public types of the npm package `steadfetch`.

/** Anything that behaves like `fetch`: the page's own, an SPHttpClient adapter, a test stub. */
export type FetchLike = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

// ---------------------------------------------------------------- the two fetches

/** SharePoint REST: repeats GET and HEAD only. Resolves with the transport's own Response object, 4xx/5xx included. */
export function spFetch(input: RequestInfo | URL, init?: SpFetchInit): Promise<Response>;
/** AI back ends: repeats a call only when the failed attempt was fast. Resolves like `fetch`. */
export function aiFetch(input: RequestInfo | URL, init?: AiFetchInit): Promise<Response>;
export function createSpFetch(defaults?: SpFetchOptions): typeof spFetch;
export function createAiFetch(defaults?: AiFetchOptions): typeof aiFetch;

export interface SpFetchInit extends Omit<RequestInit, 'headers'>, SpFetchOptions { headers?: HeadersInit | HeadersFactory; }
export interface AiFetchInit extends Omit<RequestInit, 'headers'>, AiFetchOptions { headers?: HeadersInit | HeadersFactory; }
/** Asked before every send, so that tokens are fresh after a wait. */
export type HeadersFactory = (ctx: { attempt: number }) => HeadersInit | Promise<HeadersInit>;

export interface CommonOptions {
  maxRetries?: number;                                     // after the first attempt. sp 3, ai 2
  timeout?: number | { totalMs?: number; attemptMs?: number; idleMs?: number };
                                                           // a bare number is totalMs. sp GET/HEAD 120_000, other sp methods none, ai 250_000; attempt off; idle 60_000 in our own readers.
                                                           // a value the caller sets also covers the body; Infinity = no limit
  retryStatuses?: number[];                                // sp [429, 503]; ai [408, 429, 502, 503, 504, 529]. Replaces the list; method and slowness rules stay
  backoff?: { baseMs?: number; capMs?: number };           // full jitter: random(0, min(cap, base * 2^n)). sp 1_000/20_000, ai 500/8_000
  fetch?: FetchLike;                                       // the transport. default: globalThis.fetch, looked up at each call
  shouldRetry?: (ctx: RetryContext) => boolean | undefined;// false vetoes, undefined keeps the rule, true may repeat a final status but never a write, a slow AI failure or a used-up body
  onRetry?: (e: RetryEvent) => void;                       // before each wait; a throw inside it never breaks the call
  retryBudget?: false | { ratio?: number; minPerMinute?: number } | { capacity: number; transientCost?: number; throttleCost?: number };
                                                           // per origin. { ratio: 0.1, minPerMinute: 2 }; or a token bucket, 500 with costs 14 and 5, a success after a repeat pays it back
  coolDown?: 'page' | 'tabs' | false;                      // after a throttle with a known wait, later calls to the origin wait too. 'page'
  endpoint?: string;                                       // telemetry name instead of normalizeUrl(url)
  minAttemptMs?: number;                                   // no repeat is begun with less time left. sp 1_000, ai 5_000
  onDone?: (info: CallInfo) => void;                       // the account of exactly this call; a throw inside it is ignored
}
export interface SpFetchOptions extends CommonOptions {
  digest?: () => Promise<string>;                          // X-RequestDigest, fresh for every write; one re-send after a 403 that says the digest had expired (that answer proves the write was refused)
}
export interface AiFetchOptions extends CommonOptions {
  slowAfterMs?: number;                                    // a failure at or above this is a timeout already paid for: never repeated. 30_000 (408 and 504: at most 5_000)
  circuit?: false | { key?: string; failureRate?: number; minimumCalls?: number; windowMs?: number; openMs?: number };
                                                           // one breaker per key. origin + endpoint, 0.5, 4, 300_000, 2_200 (doubling to 30_000 only after slow probes)
  idempotencyKey?: string | boolean;                       // one key per logical call, the same on every attempt.
                                                           // default: true on the page's own origin, false elsewhere (a CORS preflight could fail). Samples turn it on
  idempotencyHeader?: string;                              // 'Idempotency-Key'
  deadlineHeader?: string | false;                         // remaining milliseconds, fresh per attempt, e.g. 'x-deadline-ms'. false
}

export interface RetryContext { kind: 'sp' | 'ai'; method: string; endpoint: string; attempt: number; elapsedMs: number; status: number | null; error: unknown; response: Response | null; }
export interface RetryEvent extends RetryContext { delayMs: number; retryAfterMs: number | null; reason: string; }

// ---------------------------------------------------------------- what happened, and why

/** The account of one call, for the Response it resolved with or the error it rejected with. Never changes the Response. */
export function getCallInfo(of: Response | unknown): CallInfo | undefined;
/** One plain sentence for a person: what failed, why it was (not) repeated, what to do now. Never shows a URL's literals. */
export function explain(of: Response | unknown): string;

export interface CallInfo {
  kind: 'sp' | 'ai'; method: string; endpoint: string;
  attempts: AttemptInfo[]; totalMs: number; waitedMs: number;
  stop: StopReason;
  retryAfterMs: number | null;                             // what the server last asked for, even when longer than we would wait
  retryAfterHidden: boolean;                               // cross-origin 429/503 whose headers CORS does not expose
  rateLimit: RateLimit | null;                             // null = not reported, never "not throttled"
  correlationId: string | null;                            // SPRequestGuid, request-id, x-ms-request-id, apim-request-id
  page: 'login' | 'throttle' | 'html' | null;              // an HTML page answered where data was asked for
  idempotencyKey: string | null;
}
export interface AttemptInfo { startedMs: number; elapsedMs: number; allowedMs: number | null; status: number | null; error: string | null; suspended: boolean; waitMs: number | null; decision: string; }
export type StopReason =
  | 'success' | 'final-status' | 'unsafe-method' | 'slow-failure' | 'no-retries-left' | 'retry-budget' | 'wait-exceeds-time-left'
  | 'timeout' | 'aborted' | 'body-not-replayable' | 'circuit-open' | 'cooling-down' | 'vetoed' | 'stacked-retries' | 'network';

export class SteadError extends Error {
  readonly name: 'TimeoutError' | 'SteadError';
  readonly code: 'ETIMEOUT' | 'ECIRCUITOPEN' | 'ECOOLINGDOWN' | 'EPARTIALREAD' | 'EOPTION' | 'EENGINE';
  readonly status: number | null;                          // of the last answer seen
  readonly retryAfterMs: number | null; readonly pages?: number; readonly items?: number; readonly cause?: unknown;
}
export function isSteadError(e: unknown, code?: SteadError['code']): e is SteadError;   // works across bundles and realms
// An abort rejects with the caller's own signal.reason; a network failure with fetch's own error.

// ---------------------------------------------------------------- headers, read defensively

/** Milliseconds to wait, or null. Accepts a Response, Headers, a Headers-like or nothing at all; never throws. */
export function readRetryAfter(from: unknown, nowMs?: number): number | null;
/** Null = not reported. Never throws. */
export function readRateLimit(from: unknown, nowMs?: number): RateLimit | null;
export interface RateLimit { limit: number | null; remaining: number | null; resetMs: number | null; policy: { name: string | null; limit: number | null; windowMs: number | null }[] | null; units?: Record<string, { limit: number | null; remaining: number | null; resetMs: number | null }>; }

// ---------------------------------------------------------------- engine

/** 'wasm'; 'js' where the page's policy forbids WebAssembly (same rules, compiled to JavaScript); 'none' = plain fetch, if neither loads. */
export function engine(): 'wasm' | 'js' | 'none' | 'not-loaded';
/** Optional: load ahead of the first call. Where WebAssembly is refused it resolves once the js engine is there. */
export function ready(): Promise<'wasm' | 'js' | 'none'>;
