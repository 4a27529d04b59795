// The types of the package, and their documentation. The build ships this file as index.d.ts and index.d.mts.

// Without it, SPFx's own choice of libraries would make `any` of an AsyncIterable.
/// <reference lib="es2018.asynciterable" />

/** Anything that behaves like `fetch`: the page's own, an SPHttpClient adapter, a test stub. */
export type FetchLike = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

// ---------------------------------------------------------------- the two fetches

/**
 * `fetch` for SharePoint REST. Repeats GET and HEAD only, after 429, 503 or a network failure; everything else is sent
 * exactly once, because a throttled write may already have been applied.
 *
 * Resolves with the transport's own `Response`, unread, 4xx and 5xx included. Rejects with the caller's own abort
 * reason, with fetch's own network error, or with a {@link SteadError}: `ETIMEOUT`, or `EOPTION` before anything is sent.
 *
 * @example
 * const response = await spFetch(`${webUrl}/_api/web/lists`, { headers: { Accept: 'application/json' } });
 * if (!response.ok) show(explain(response));
 */
export function spFetch(input: RequestInfo | URL, init?: SpFetchInit): Promise<Response>;

/**
 * `fetch` for an AI back end. Repeats a call, whatever its method, only when the failed attempt was *fast*: a 502 after
 * 230 seconds is a timeout already paid for. Resolves and rejects like {@link spFetch}.
 *
 * @example
 * const ask = createAiFetch({ idempotencyKey: true }); // needs the header in the back end's CORS line
 * const response = await ask(functionUrl, { method: 'POST', body: JSON.stringify({ prompt }) });
 */
export function aiFetch(input: RequestInfo | URL, init?: AiFetchInit): Promise<Response>;

/**
 * An {@link spFetch} with options of its own. They are read once, here; an option given to a call replaces the one
 * given here as a whole. A wrong option rejects the calls with `EOPTION`, it never throws here.
 *
 * @example
 * const spFetch = createSpFetch({ timeout: 30_000, digest: () => getDigest() });
 * await spFetch(itemsUrl, { method: 'POST', body });
 */
export function createSpFetch(defaults?: SpFetchOptions): typeof spFetch;

/**
 * An {@link aiFetch} with options of its own; like {@link createSpFetch}.
 *
 * @example
 * const ask = createAiFetch({ timeout: { totalMs: 60_000 }, deadlineHeader: 'x-deadline-ms' });
 * const response = await ask(functionUrl, { method: 'POST', body });
 */
export function createAiFetch(defaults?: AiFetchOptions): typeof aiFetch;

/** What {@link spFetch} takes: everything `fetch` takes, and its options. Unknown members pass through to the transport. */
export interface SpFetchInit extends Omit<RequestInit, 'headers'>, SpFetchOptions {
  /** Headers, or a function that is asked for them before every send. */
  headers?: HeadersInit | HeadersFactory;
}

/** What {@link aiFetch} takes: everything `fetch` takes, and its options. Unknown members pass through to the transport. */
export interface AiFetchInit extends Omit<RequestInit, 'headers'>, AiFetchOptions {
  /** Headers, or a function that is asked for them before every send. */
  headers?: HeadersInit | HeadersFactory;
}

/**
 * Asked before every send, so that tokens are fresh after a wait. `attempt` is 1 for the first send. If it throws or
 * rejects, nothing is sent and the call rejects with that very error.
 *
 * @example
 * headers: async () => ({ Authorization: `Bearer ${await getToken()}` })
 */
export type HeadersFactory = (ctx: { attempt: number }) => HeadersInit | Promise<HeadersInit>;

/** Options of both functions. A wrong one rejects with `EOPTION`, which names the option and what is allowed. */
export interface CommonOptions {
  /**
   * Repeats after the first attempt, a whole number from 0 to 100. A network failure of an `spFetch` read is repeated
   * at most once whatever stands here, or twice if the page came online in between.
   * @default 3 for spFetch, 2 for aiFetch
   */
  maxRetries?: number;
  /**
   * Milliseconds above 0; `Infinity`, like anything above 2 147 483 647 (25 days), is no limit. A bare number is `totalMs`. Exceeded, the call rejects with `ETIMEOUT`.
   * - `totalMs`: the whole operation up to the headers, waits included. A value set here or in the factory also covers
   *   the body, whose reading then fails with `ETIMEOUT`; the defaults never cut a body. (Firefox's `text()` and
   *   `json()` have an `AbortError` of their own for every abort; reading the stream gives the reason.)
   *   Default: 120 000 for GET and HEAD of spFetch, none for its other methods, 250 000 for aiFetch.
   * - `attemptMs`: one attempt up to its headers. Exceeded, a GET or HEAD of spFetch counts as a network failure,
   *   anything else is final. Default: none.
   * - `idleMs`: between two chunks, in {@link readAiResult} and {@link streamAi}. Default: 60 000.
   *
   * @example
   * timeout: { totalMs: 45_000, attemptMs: 15_000 }
   */
  timeout?: number | { totalMs?: number; attemptMs?: number; idleMs?: number };
  /**
   * Statuses that may be repeated, 400 to 599; replaces the list. The rules on method and speed stay.
   * @default [429, 503] for spFetch, [408, 429, 502, 503, 504, 529] for aiFetch
   */
  retryStatuses?: number[];
  /**
   * Full jitter, in milliseconds: `random(0, min(capMs, baseMs * 2^n))`, of `baseMs` and `capMs`, and a second more after a 429 or 503. A wait that the
   * server stated comes before it and is never shortened.
   * @default { baseMs: 1000, capMs: 20000 } for spFetch, { baseMs: 500, capMs: 8000 } for aiFetch
   */
  backoff?: { baseMs?: number; capMs?: number };
  /**
   * The transport.
   * @default globalThis.fetch, looked up at each send
   *
   * @example
   * fetch: viaSPHttpClient(this.context.spHttpClient, SPHttpClient.configurations.v1) // from 'steadfetch/spfx'
   */
  fetch?: FetchLike;
  /**
   * Asked when a repeat is possible: `false` vetoes, `undefined` keeps the rule, `true` repeats a status that is not in
   * the list. It never repeats a write of spFetch, a slow failure of aiFetch or a body that is used up. Called
   * synchronously; a promise or a throw keeps the rule.
   */
  shouldRetry?: (ctx: RetryContext) => boolean | undefined;
  /** Told before each wait. A throw inside it never breaks the call. */
  onRetry?: (e: RetryEvent) => void;
  /**
   * How much repeating is polite, per origin and for all copies of this package on the page. A bucket holds 10 repeats
   * at first; each call adds `ratio` (0 to 1), each minute `minPerMinute`, each repeat takes 1. A repeat after a wait
   * that the server stated may also draw on a reserve of 100. When it is empty, the call ends with the answer in hand
   * and `stop: 'retry-budget'`.
   *
   * With `capacity` it is the token bucket of the AWS SDKs: a repeat after a 429 or 503 takes `throttleCost` (5), any
   * other `transientCost` (14); a success after a repeat pays its cost back, any other success 1.
   * @default { ratio: 0.1, minPerMinute: 2 }
   */
  retryBudget?:
    | false
    | { ratio?: number; minPerMinute?: number }
    | { capacity: number; transientCost?: number; throttleCost?: number };
  /**
   * Who waits once a 429 or 503 has stated a wait: `'page'`, later calls of all copies of this package on this page;
   * `'tabs'`, also in the user's other tabs of this origin, where they ask for it, too; `false`, only the call itself.
   * `spFetch` waits by origin, `aiFetch` by circuit key, at most 120 s. Then one call goes first; once it is answered,
   * 2, 4, 8 … follow every 100 ms. If one of them, or whoever comes in the next 30 s, is told to wait again, all wait for up
   * to 30 % (3 s) longer than was stated, and follow one by one, slower. A call that does not fit into its time, or a write
   * that would wait for more than 30 s without a `timeout` of its own, rejects with `ECOOLINGDOWN`, and nothing is sent.
   * @default 'page'
   */
  coolDown?: 'page' | 'tabs' | false;
  /**
   * Name of the endpoint in {@link CallInfo} and events, 1 to 200 characters.
   * @default what {@link normalizeUrl} makes of the address, or `{other}` if that is longer than 200 characters
   */
  endpoint?: string;
  /**
   * No repeat is begun with less time left, in milliseconds.
   * @default 1000 for spFetch; 5000 for aiFetch, or the endpoint's median time to the headers once 20 are known
   */
  minAttemptMs?: number;
  /** Told at the end of the call, before its promise settles: the account of exactly this call. A throw is ignored. */
  onDone?: (info: CallInfo) => void;
}

/** Options of {@link spFetch}. */
export interface SpFetchOptions extends CommonOptions {
  /**
   * Gives the form digest for `X-RequestDigest`; asked before every send of a write. With it, a write that SharePoint
   * refused with 403 because its digest had expired is sent once more: that answer proves that nothing was written.
   *
   * @example
   * digest: () => digestCache.fetchDigest(webUrl)
   */
  digest?: () => Promise<string>;
}

/** Options of {@link aiFetch}. */
export interface AiFetchOptions extends CommonOptions {
  /**
   * A failure that took this long, in milliseconds, is never repeated; above 0, at most 200 000. For 408 and 504 the
   * limit is at most 5 000: a gateway that says after that long that time ran out had passed the call on.
   * @default 30000
   */
  slowAfterMs?: number;
  /**
   * A circuit breaker for each back end, shared on the page. It judges by the attempts of the last `windowMs` (1 to
   * 300 000). Earlier ones fade as others come, so that about the latest 8 count, or twice `minimumCalls` if that is more: good
   * minutes do not hide an outage. When there are at least `minimumCalls` and the share `failureRate` (0 to 1) of them
   * failed, by a network error, a 5xx, a slow failure, or an answer that {@link readAiResult}, {@link streamAi} or
   * {@link askAi} found broken off or in error, nobody sends for `openMs` (1 to 300 000, give or take 20 %); after slow probes it
   * doubles up to 30 s. A call that finds it open
   * waits for the first interval, if that is at most 2.5 s, else it rejects at once with `ECIRCUITOPEN`. Then one probe
   * goes first, and everyone else is rejected until it is answered.
   * - `key`: calls with the same key share a circuit and a cool-down. Default: the origin and the endpoint's name. It
   *   is shown in events and in `telemetry()`, so let it name a service, never a person or a secret.
   * @default { failureRate: 0.5, minimumCalls: 4, windowMs: 300000, openMs: 2200 }
   */
  circuit?: false | { key?: string; failureRate?: number; minimumCalls?: number; windowMs?: number; openMs?: number };
  /**
   * One key for the whole call, the same on every attempt, never on GET and HEAD. `true` mints a UUID; a string of 1 to
   * 255 visible ASCII characters is used as it is. A 409 then means that the first attempt is still running, and is
   * polled with the same key until the deadline.
   * @default true on the page's own origin, false elsewhere, where the header costs a CORS preflight
   */
  idempotencyKey?: string | boolean;
  /**
   * Name of the header that the key goes out in.
   * @default 'Idempotency-Key'
   */
  idempotencyHeader?: string;
  /**
   * Name of a header for the milliseconds left, fresh for every attempt, e.g. `'x-deadline-ms'`.
   * @default false
   */
  deadlineHeader?: string | false;
}

/** The state of a call after an attempt, as {@link CommonOptions.shouldRetry} sees it. */
export interface RetryContext {
  /** Whose rules apply: `'sp'`, those of {@link spFetch}; `'ai'`, those of {@link aiFetch}. */
  kind: 'sp' | 'ai';
  /** As the call gave it; `GET` if it gave none. */
  method: string;
  /** The endpoint's name: never its address. */
  endpoint: string;
  /** 1 for the first attempt; 0 in `onRetry` before anything was sent. */
  attempt: number;
  /** Milliseconds since the call began. */
  elapsedMs: number;
  /** Of the answer; null without one. */
  status: number | null;
  /** The transport's own error; null after an answer. */
  error: unknown;
  /** The answer, unread; null without one, and once it was given up. Clone it before you read it. */
  response: Response | null;
}

/** A wait that is about to begin. */
export interface RetryEvent extends RetryContext {
  /** Milliseconds of this wait. */
  delayMs: number;
  /** Milliseconds that the server asked for; null if it did not. */
  retryAfterMs: number | null;
  /** `'throttled'`, `'transient'`, `'network'`, `'still-running'`; before a send that is held back `'cooling-down'` or `'circuit-open'`. */
  reason: string;
}

// ---------------------------------------------------------------- what happened, and why

/**
 * The account of one call, for the `Response` it resolved with or the error it rejected with. Undefined for anything
 * else, for a primitive, and for an object that more than one call ended with; `onDone` is exact even then. Undefined, too,
 * for what came from another copy of the package on the page (a second bundle, an adapter of another version): each copy keeps
 * the accounts of its own calls.
 *
 * @example
 * const info = getCallInfo(response);
 * console.log(info?.attempts.length, info?.stop);
 */
export function getCallInfo(of: Response | unknown): CallInfo | undefined;

/**
 * What failed, why it was (not) repeated and what to do now, in plain words for a person. Never shows an address, a
 * name or an error's message. Needs no engine.
 *
 * @example
 * setMessage(explain(error));
 * // "The server is limiting requests. It was not repeated, because … Try again in 41 seconds."
 */
export function explain(of: Response | unknown): string;

/** The account of one call. */
export interface CallInfo {
  /** Whose rules applied: `'sp'`, those of {@link spFetch}; `'ai'`, those of {@link aiFetch}. */
  kind: 'sp' | 'ai';
  /** As the call gave it; `GET` if it gave none. */
  method: string;
  /** The endpoint's name: never its address. */
  endpoint: string;
  /** In the order they were sent. */
  attempts: AttemptInfo[];
  /** Milliseconds from the call to its end. */
  totalMs: number;
  /** Milliseconds of it spent waiting. */
  waitedMs: number;
  /** Why it ended. */
  stop: StopReason;
  /** Milliseconds that the server last asked for, even when longer than we would wait; 0 is "allowed now". */
  retryAfterMs: number | null;
  /** The last failure was a 429 or 503 of another origin whose headers are absent, or hidden by CORS. */
  retryAfterHidden: boolean;
  /** Null is "not reported", never "not throttled". */
  rateLimit: RateLimit | null;
  /** `SPRequestGuid`, `request-id`, `x-ms-request-id` or `apim-request-id` of the last answer. */
  correlationId: string | null;
  /** An HTML page answered where data was asked for: an `/_api/` or `/_vti_bin/` address, or an Accept that names JSON. */
  page: 'login' | 'throttle' | 'html' | null;
  /** The key that went out. */
  idempotencyKey: string | null;
}

/** One attempt. */
export interface AttemptInfo {
  /** Milliseconds from the call to this send. */
  startedMs: number;
  /** Milliseconds from the send to the headers or the failure, time asleep included. */
  elapsedMs: number;
  /** Milliseconds it was allowed to take; null without a limit. */
  allowedMs: number | null;
  /** Null without an answer, or when it could not be read. */
  status: number | null;
  /** Name of the error without an answer; never its message. */
  error: string | null;
  /** The computer slept, its clock was set, or the page was frozen meanwhile. */
  suspended: boolean;
  /** Milliseconds waited after it, if it was repeated. */
  waitMs: number | null;
  /** `'retry'`, or the reason for stopping. */
  decision: string;
}

/**
 * Why a call ended.
 *
 * `'success'`: an answer below 400 that is no page in place of data. `'not-sent'`: `headers` or `digest` failed.
 * `'final-status'`: a status that is not repeated. `'unsafe-method'`: a write, sent once. `'slow-failure'`: paid for already.
 */
export type StopReason =
  | 'success'
  | 'final-status'
  | 'unsafe-method'
  | 'slow-failure'
  | 'no-retries-left'
  | 'retry-budget'
  | 'wait-exceeds-time-left'
  | 'timeout'
  | 'aborted'
  | 'body-not-replayable'
  | 'circuit-open'
  | 'cooling-down'
  | 'vetoed'
  | 'stacked-retries'
  | 'network'
  | 'not-sent';

/**
 * The errors of this package. An abort rejects with the caller's own `signal.reason` and a network failure with
 * fetch's own error, never with this.
 */
export class SteadError extends Error {
  constructor(
    code: SteadError['code'],
    message: string,
    details?: { status?: number | null; retryAfterMs?: number | null; pages?: number; items?: number; cause?: unknown },
  );
  /** `'TimeoutError'` with the code `ETIMEOUT`, like the platform's own; else `'SteadError'`. */
  readonly name: 'TimeoutError' | 'SteadError';
  /**
   * `ETIMEOUT`: a limit of `timeout` passed. `EOPTION`: a wrong option; nothing was sent, unless it is
   * `fetch` itself, told by what that resolved with. `EENGINE`: the module stopped;
   * whether the request was carried out is not known. `ECOOLINGDOWN`: the server asked this page to wait, longer than
   * this call may. `ECIRCUITOPEN`: the back end has been failing. After both, nothing was sent (again), and
   * `retryAfterMs` says when it is worth another try. `EPARTIALREAD`: {@link readAll} could not read everything.
   */
  readonly code: 'ETIMEOUT' | 'ECIRCUITOPEN' | 'ECOOLINGDOWN' | 'EPARTIALREAD' | 'EOPTION' | 'EENGINE';
  /** Status of the last answer seen. */
  readonly status: number | null;
  /** Milliseconds that the server last asked for, or that the page is to wait. */
  readonly retryAfterMs: number | null;
  /** `EPARTIALREAD`: pages that had been read. */
  readonly pages?: number;
  /** `EPARTIALREAD`: items in those pages. */
  readonly items?: number;
  /** What was caught, if anything: the last network error, or what a getter threw. */
  // Of an unknown kind; but TypeScript 4.7 says of every error that its cause is an `Error`.
  readonly cause?: any;
}

/**
 * Whether something is a {@link SteadError}, of this bundle or of any other on the page. Never throws.
 *
 * @example
 * if (isSteadError(error, 'ETIMEOUT')) offerToTryAgain();
 */
export function isSteadError(e: unknown, code?: SteadError['code']): e is SteadError;

// ---------------------------------------------------------------- headers, read defensively

/**
 * Milliseconds that the server asked to wait, from `retry-after-ms`, `x-ms-retry-after-ms` or `Retry-After` (seconds or
 * an HTTP-date); 0 is "allowed now", null is "not said". Takes a Response, Headers, anything with `get`, a record of
 * headers, or nothing at all; never throws.
 *
 * It is what the server said, be it years; a number that fits nowhere is 2^64. `setTimeout` takes at most 2^31 - 1 and
 * does not wait at all beyond, so set a limit of your own.
 * @param nowMs Milliseconds since 1970 that dates are compared with. Default: `Date.now()`
 *
 * @example
 * const waitMs = Math.min(readRetryAfter(response) ?? 5_000, 120_000);
 */
export function readRetryAfter(from: unknown, nowMs?: number): number | null;

/**
 * What the server reported about its limits: IETF `RateLimit` and `RateLimit-Policy` (drafts 03 to 11), and the
 * per-unit headers of OpenAI, Azure OpenAI and Anthropic. Null is "not reported", never "not throttled". Never throws.
 * @param nowMs Milliseconds since 1970 that dates are compared with. Default: `Date.now()`
 *
 * @example
 * const left = readRateLimit(response)?.remaining;
 */
export function readRateLimit(from: unknown, nowMs?: number): RateLimit | null;

/** What a server reported about its limits. Every null is "not reported". */
export interface RateLimit {
  /** How much is allowed until the reset. */
  limit: number | null;
  /** How much of it is left. */
  remaining: number | null;
  /** Milliseconds until the limit is reset. */
  resetMs: number | null;
  /** The rules behind the numbers, as far as the server tells them: `name`, and `limit` per `windowMs`. */
  policy: { name: string | null; limit: number | null; windowMs: number | null }[] | null;
  /** AI back ends: `limit`, `remaining` and `resetMs` by unit, such as `requests` and `tokens`. */
  units?: Record<string, { limit: number | null; remaining: number | null; resetMs: number | null }>;
}

// ---------------------------------------------------------------- AI answers: a 200 is not yet a success

/**
 * Reads an AI back end's answer to its end and says what kind of end that was: JSON or a stream, of OpenAI and servers
 * like it (chat completions, Responses), Anthropic, Gemini, Ollama, or of your own back end. What it is, is told by the
 * body, never by the address.
 *
 * Resolves for every end that the server or the network made, error statuses included. Rejects with the caller's own abort
 * reason (of `signal`, or of the signal of the {@link aiFetch} call that gave this `Response`), and with a
 * {@link SteadError}: `EOPTION`, also for a body that somebody has read already, or `EENGINE`.
 *
 * @example
 * const { outcome, text, finishReason } = await readAiResult(await ask(functionUrl, { method: 'POST', body }));
 * if (outcome !== 'complete') warnThatItIsNotAll(outcome, finishReason);
 */
export function readAiResult(response: Response, options?: AiReadOptions): Promise<AiResult>;

/**
 * The text of an answer as it comes, each piece with the chunk of the body that carried it. Like {@link readAiResult} it
 * reads every kind of body; of one that comes at once there is one piece.
 *
 * The loop ends without an error wherever the server or the network ended the answer, be it halfway: `result` says which
 * kind of end it was, so look at it. An abort throws the caller's reason out of the loop. Leaving the loop cancels the
 * body. In both cases `result` resolves with `errorKind: 'cancelled'` and the text so far (`incomplete_stream`; of a body that is no
 * stream, `error`). Of an answer at once that is refused or an error there is no piece, only `result`. Asked
 * for before the loop, `result` reads ahead of it. Both reject with `EOPTION` and `EENGINE`, like {@link readAiResult}.
 *
 * @example
 * const answer = streamAi(response);
 * for await (const text of answer) show(text);
 * if ((await answer.result).outcome !== 'complete') showThatItIsNotAll();
 */
export function streamAi(response: Response, options?: AiReadOptions): AsyncIterable<string> & { readonly result: Promise<AiResult> };

/**
 * Asks a model by {@link aiFetch}, reads the answer, and if there is none asks the fallbacks, in their order. Whatever
 * comes back says where it is from: `source`, why, and a sentence for the person.
 *
 * An answer with status 200 that begins with an error which may pass (too many requests, overloaded, a failing server) counts
 * as the status that says so, 429, 529 or 503, in the account, the circuit and the rules of {@link aiFetch}: it is
 * repeated if it came fast. Nothing is repeated once there was text. Neither is a refusal or an answer cut off by a
 * limit: the same question would end the same way.
 *
 * Rejects with the caller's own abort reason and with `EOPTION`, never with anything else.
 *
 * @example
 * const { text, source, message } = await askAi(functionUrl, {
 *   method: 'POST', body: JSON.stringify({ question }), idempotencyKey: true,
 *   fallbacks: [{ source: 'cache', get: () => lastAnswerTo(question) }],
 * });
 * show(text, source === 'model' ? '' : message);
 */
export function askAi(
  input: RequestInfo | URL,
  init?: AiFetchInit &
    AiReadOptions & {
      /**
       * Told each piece of the text as it comes. Once it was told any, no fallback takes the answer's place. A throw is
       * ignored.
       */
      onText?: (delta: string) => void;
      /** Asked in this order when the model has no answer. @default [] */
      fallbacks?: Fallback[];
      /** Milliseconds that each fallback may take; `Infinity` is no limit. @default 10000 */
      fallbackMs?: number;
    },
): Promise<AiAnswer>;

/** Options of {@link readAiResult}, {@link streamAi} and {@link askAi}. */
export interface AiReadOptions {
  /**
   * For a back end with a shape of its own: what its body says, or each event of its stream, as `text`. Gets the parsed
   * JSON, or the string where it is none. Without a `finishReason` a body at once is complete, a stream only when it says `[DONE]`.
   * What it gives `undefined` for, or throws at, is read as anybody's; errors are not shown to it.
   *
   * @example
   * read: (body) => ({ text: (body as { reply: string }).reply })
   */
  read?: (body: unknown) => { text: string; finishReason?: string } | undefined;
  /**
   * Milliseconds for the reading; for {@link askAi} the whole call to the model, body included. `Infinity` is no limit.
   * @default no limit
   */
  totalMs?: number;
  /**
   * Milliseconds between two chunks of the body. Exceeded, the answer ends with `errorKind: 'timeout'`.
   * @default timeout.idleMs of the aiFetch call, else 60000
   */
  idleMs?: number;
  /**
   * Bytes of body that are read, up to 1 073 741 824. A longer one ends with `errorKind: 'too_large'`.
   * @default 16777216
   */
  maxBytes?: number;
  /** Ends the reading; an {@link aiFetch} call's own signal does so, too. */
  signal?: AbortSignal;
}

/** What an answer came to. */
export interface AiResult {
  /**
   * - `complete`: the model said all it wanted. A finish reason that is not known here counts as that, since new ones appear;
   *   `finishReason` has it as it came.
   * - `truncated`: a limit of length cut it off.
   * - `refused`: the model or a content filter would not.
   * - `tool_calls`: the model waits for the results of calls.
   * - `error`: it went wrong, see `errorKind`; the status may have been 200.
   * - `incomplete_stream`: the stream ended without a sign that the answer was over.
   * - `unknown`: well-formed, of no known provider, and nothing says whether it is all, such as `{ "answer": "…" }`.
   *   With a `read` of yours it is `complete`.
   */
  outcome: 'complete' | 'truncated' | 'refused' | 'tool_calls' | 'error' | 'incomplete_stream' | 'unknown';
  /** The text, thoughts and refusals left out; null where there can be none, empty where none came. */
  text: string | null;
  /** It went wrong after text had come. */
  partialText: boolean;
  /** The reason in the provider's words. */
  finishReason: string | null;
  /** Whose shape the answer has. */
  provider: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama' | 'custom' | 'unknown';
  /**
   * Of an error: `rate_limited`, `overloaded`, `server`, `timeout`, `network`, `quota`, `auth`, `not_found`, `bad_request`,
   * `context_length` (trim or split the input, never repeat it), `content_filter`, `bad_json`, `bad_output` (the model wrote
   * what nobody can use), `not_sse` (a page or other text in place of an answer), `empty_response`, `too_large`,
   * `cancelled`. May be set on `incomplete_stream`, for what ended it, and on `refused`.
   */
  errorKind: string | null;
  /** This kind of trouble may pass, and no text was handed out. */
  retryable: boolean;
  /** Milliseconds that a header or the body asks to wait. */
  retryAfterMs: number | null;
  /** Tokens, as far as they were reported: `inputTokens` of the question, `outputTokens` of the answer. */
  usage: { inputTokens: number | null; outputTokens: number | null } | null;
}

/** What may be said in the model's place. */
export interface Fallback {
  /** What the answer is labelled with. */
  source: 'backup-model' | 'cache' | 'plain';
  /**
   * Reasons to ask it for.
   * @default every reason but 'refused' and 'truncated'
   */
  on?: AiFailure['reason'][];
  /**
   * Gives the text. Nothing, an empty string, a throw, and more than `fallbackMs` pass the question on to the next. `signal`
   * aborts when its time is over or the caller aborts.
   */
  get: (why: AiFailure, signal: AbortSignal) => Promise<string | null | undefined> | string | null | undefined;
}

/** Why the model's answer cannot be given out as it is. */
export interface AiFailure {
  /**
   * `deadline`: time ran out, here or there. `unavailable`: no connection, too busy, failing, out of quota, a stream cut off, or no
   * engine. `circuit-open`: it has been failing, and was not asked. `refused`, `truncated`: as in {@link AiResult}.
   * `error`: anything else.
   */
  reason: 'deadline' | 'unavailable' | 'circuit-open' | 'refused' | 'truncated' | 'error';
  /** What was read, if anything. */
  result: AiResult | null;
  /** What {@link aiFetch} rejected with; null after an answer. */
  error: unknown;
  /** The account of the call. */
  info: CallInfo | undefined;
}

/** What {@link askAi} comes back with. */
export interface AiAnswer {
  /** Null if `source` is `'none'`, or the model only asks for calls. */
  text: string | null;
  /** Whose words they are. With `'model'` and a `failure` they are not all of the answer. */
  source: 'model' | 'backup-model' | 'cache' | 'plain' | 'none';
  /** What was read of the model. */
  result: AiResult | null;
  /** Why it is not the model's whole answer; null if it is. */
  failure: AiFailure | null;
  /** A sentence or two for the person. */
  message: string;
}

// ---------------------------------------------------------------- SharePoint: writes that cannot double, reads that cannot lie

/**
 * Sends a write, and if its outcome is not known, asks `find` whether it is there before anybody thinks of sending it again.
 * Takes everything that {@link spFetch} takes; the method must be one that writes.
 *
 * - An answer of 2xx is `written`, of 4xx `rejected`.
 * - After an **answer** of 429 or 503, `find` is asked after the stated wait, at least `settleMs`, and again `settleMs`
 *   later. Absent both times, the write is sent again, `maxSends` times in all; still absent it is `not-applied`.
 * - After a **lost** answer (no network, a timeout, 408, 502, 504, a sign-in page) `find` is asked at once and again
 *   `settleMs` later, but the write is not sent again: no wait bounds one that is still under way. Absent is `unknown`.
 * - After the server's own 500 it is looked for like that, too; absent is `rejected`.
 * - A later send that is refused with a 4xx may be refused *because* the first one landed, by a unique column or since the
 *   item is gone: it is looked for first.
 * - A `find` that fails is `unknown`, and never leads to a send.
 *
 * What it cannot do: a write that lands later than `settleMs` after it was *answered* 429 or 503 has been sent again by then.
 * Only a unique column prevents that double; with one, set `lostAnswer: 'resend'` if you like.
 *
 * Rejects with the caller's own abort reason at every moment, and nothing is sent afterwards; with `EOPTION`; and, when
 * nothing was ever sent, with what kept it from being sent: `ECOOLINGDOWN`, or what `headers` or `digest` threw.
 * Without an engine it sends once and says `written`, `rejected` or `unknown`.
 *
 * @example
 * const literal = encodeURIComponent(key.replace(/'/g, "''")); // a raw `+` would be read as a space
 * const find = async () => (await readAll<Order>(`${itemsUrl}?$filter=OrderKey eq '${literal}'`, { headers }))[0];
 * const result = await writeOnce(itemsUrl, { method: 'POST', headers, body, digest, find }); // body holds OrderKey: key
 */
export function writeOnce<T>(input: RequestInfo | URL, init: WriteOnceInit<T>): Promise<WriteResult<T>>;

/** What {@link writeOnce} takes. `timeout` applies to each send and to each `find` by itself, not to the whole. */
export interface WriteOnceInit<T> extends SpFetchInit {
  /**
   * Says whether the write is there: what it found, or null or undefined if it is not there. For a change, whether the item
   * has the new values; for a DELETE, something if the item is *gone*. Use GETs of {@link spFetch} or {@link readAll}, and
   * throw if they fail. A throw, a rejection, `false`, an empty string or list, a Response that nobody has looked into, and
   * the body of an error or of an empty list count as "cannot tell". It may take 120 s, or `timeout.totalMs` if that is given; `signal` fires when nobody waits any more.
   *
   * @example
   * find: async () => {
   *   const { status } = await spFetch(itemUrl, { headers });
   *   if (status === 200) return null; // it is still there
   *   if (status === 404) return 'gone';
   *   throw new Error(`answered ${status}`);
   * }
   */
  find: (signal: AbortSignal) => Promise<T | null | undefined> | T | null | undefined;
  /**
   * Sends, the first included; a whole number from 1 to 10. A body that can be sent only once is sent once. A send that
   * `digest` repeats after a 403 counts as one.
   * @default 2
   */
  maxSends?: number;
  /**
   * Milliseconds, 1 to 300 000, after which an answered write has landed and reads see it. A stated wait is waited out, too,
   * unless it is longer than `timeout.totalMs` (120 s): then the write is not sent again.
   * @default 10000
   */
  settleMs?: number;
  /**
   * `'resend'` treats a lost answer like a 429. The write can double, unless a unique column prevents it.
   * @default 'stop'
   */
  lostAnswer?: 'stop' | 'resend';
}

/**
 * What became of a write: its `status`. `sends`: how often it was sent.
 *
 * - `written`: the server said so, `response` is its answer, unread.
 * - `already-applied`: `find` has `found` it, in spite of what the server said, or did not say.
 * - `rejected`: refused with a 4xx; or the server failed and it is not there. `response` is unread.
 * - `not-applied`: answered 429 or 503, and still absent after the checks.
 * - `unknown`: the answer was lost and it is absent, or `find` could not tell; then `findError` is what it threw. Look before
 *   you send it again, or let a person look.
 *
 * `cause` is what the last send ended with: the Response, unread, or the error.
 */
export type WriteResult<T> =
  | { status: 'written'; response: Response; sends: number }
  | { status: 'already-applied'; found: T; sends: number }
  | { status: 'rejected'; response: Response; sends: number }
  | { status: 'not-applied'; cause: unknown; sends: number }
  | { status: 'unknown'; cause: unknown; findError?: unknown; sends: number };

/**
 * Reads all pages of a SharePoint list, or rejects: a list that is shorter than it is makes a synchronisation delete what
 * is there. Each page is a GET of {@link spFetch} with its repeats; `odata.nextLink`, `@odata.nextLink` and `d.__next`
 * are followed, on the same origin.
 *
 * Rejects with `EPARTIALREAD` when a page fails, is HTML or no list (`value`, `d.results`, `d`), ends in an error, leads to
 * another origin or in a circle, and when there are more than `maxItems`. `pages` and `items` count what had been read,
 * `status` and `retryAfterMs` are of the last answer, `cause` is that answer, unread, or the error. So a throttled answer
 * to "which permissions are there?" is an error, never "none".
 *
 * `timeout.totalMs` is per page, its body included; 120 s by default. An abort rejects with the caller's own reason, and
 * a wrong option with `EOPTION`. Without an engine it rejects with `EENGINE`, since pages in place of data could not be told.
 *
 * @example
 * const orders = await readAll<Order>(`${itemsUrl}?$top=2000`, { headers: { Accept: 'application/json' }, runMs: 300_000 });
 * await replaceMirror(orders); // all of them: otherwise the line before has thrown
 */
export function readAll<T = unknown>(input: RequestInfo | URL, init?: ReadAllInit): Promise<T[]>;

/** What {@link readAll} takes. The method must be GET. */
export interface ReadAllInit extends SpFetchInit {
  /** Told after each page how many `pages` and `items` have been read so far. A throw inside it is ignored. */
  onPage?: (progress: { pages: number; items: number }) => void;
  /**
   * More items are an error.
   * @default Infinity
   */
  maxItems?: number;
  /**
   * Milliseconds for the whole list, waits included, above 0.
   * @default Infinity
   */
  runMs?: number;
}

/**
 * Deduplicates on read: keeps one item for each key, in the order of the list, as `items`, and reports the rest as
 * `duplicates`. Deletes nothing and changes nothing.
 *
 * Keys are compared as a Map does: `1` and `'1'` are two keys, upper and lower case differ. A key that is no string and no
 * number, or NaN, throws `EOPTION`, since all items without a key would become one; what `key` throws is thrown.
 * @param keep which of those with the same key. Default: `'first'`
 *
 * @example
 * const { items, duplicates } = collapseDuplicates(orders, (order) => order.OrderKey);
 * if (duplicates.length > 0) report(duplicates.map(({ Id }) => Id));
 */
export function collapseDuplicates<T>(
  items: readonly T[],
  key: (item: T) => string | number,
  keep?: 'first' | 'last',
): { items: T[]; duplicates: T[] };

// ---------------------------------------------------------------- telemetry

/**
 * What this copy of the package has counted of each endpoint, and what the page shares at this moment: gates, circuits and
 * retry budgets, of all copies. Nothing in it is somebody's: no address, no literal, no name. Calls that were sent without
 * an engine are not counted.
 *
 * @example
 * const slow = telemetry().endpoints.filter(({ headers }) => headers.p95Ms !== null && headers.p95Ms > 5_000);
 * const open = telemetry().circuits.filter(({ state }) => state !== 'closed');
 */
export function telemetry(): TelemetrySnapshot;

/**
 * Begins counting endpoints anew. What the page shares stays.
 *
 * @example
 * setInterval(() => { send(telemetry().endpoints); resetTelemetry(); }, 600_000);
 */
export function resetTelemetry(): void;

/**
 * Tells a listener of every attempt, wait and end of the calls of this copy, and of every change that they make to a gate, a
 * circuit or a retry budget. Gives the function that ends it.
 *
 * No call waits for a listener: events are told a moment later, when a call that has ended was settled and whoever awaits
 * it has gone on. A listener that throws breaks nothing; one that is no function is `EOPTION`. Each gets a copy of its own.
 *
 * @example
 * const end = subscribe((event) => event.type === 'done' && console.log(event.info.endpoint, event.info.stop));
 */
export function subscribe(listener: (e: SteadEvent) => void): () => void;

/**
 * For unit tests of web parts: forgets gates, budgets and circuits of this page.
 *
 * @example
 * afterEach(() => resetPageState());
 */
export function resetPageState(): void;

/** What was counted so far, and what the page shares at a moment. */
export interface TelemetrySnapshot {
  /** Since when endpoints are counted: milliseconds since 1970. */
  sinceMs: number;
  /** At most 200, in the order of their first calls; the calls of all others are counted together under `{other}`. */
  endpoints: EndpointStats[];
  /** Of all back ends whose circuit this page knows. */
  circuits: CircuitState[];
  /** Gates that are closed, and `untilMs` when: milliseconds since 1970. `host` is empty for a `circuit.key` of the caller's own. */
  coolDowns: { host: string; untilMs: number }[];
  /** By the `host`'s template, `repeats` left, and the `reserve` for repeats after a wait that the server stated. Origins not listed are full. */
  budgets: { host: string; repeats: number; reserve: number }[];
}

/**
 * One endpoint: calls of one kind and method to one name on one host. It takes at most 3.8 KB of memory, however many calls
 * there were, and at most 4 KB more for the headers of {@link rateLimit}. Hosts with the same template are counted apart.
 */
export interface EndpointStats {
  /** Its name: never its address. `{other}` from the 201st endpoint on. */
  endpoint: string;
  /** A template such as `{tenant}.sharepoint.com`; `{host}` where the service is not known, empty for `{other}`. */
  host: string;
  /** Upper case; `{other}` from the 201st endpoint on. */
  method: string;
  /** Whose calls: `'sp'`, those of {@link spFetch}; `'ai'`, those of {@link aiFetch}. */
  kind: 'sp' | 'ai';
  /** Calls that have ended. */
  calls: number;
  /** Requests that went out for them. */
  attempts: number;
  /** Attempts after the first of a call. */
  retries: number;
  /** Attempts answered with 429 or 503, or with SharePoint's throttling page. */
  throttled: number;
  /** Calls that ended with `'slow-failure'`. */
  slowFailures: number;
  /** Calls that ended with anything but `'success'` and `'aborted'`. */
  failures: number;
  /** Time of an attempt up to its headers. */
  headers: Quantiles;
  /** Time of an attempt up to the end of its body, where this package's own readers read it. */
  body: Quantiles;
  /** For `timeout.attemptMs`: 1.5 times the p99 of {@link headers}; null below 100 samples. */
  suggestedAttemptMs: number | null;
  /** For `timeout.totalMs` of a call that is not repeated: 1.5 times the p99 of {@link body}; null below 100 samples. */
  suggestedTotalMs: number | null;
  /** What the server last asked for, in milliseconds; null if it never did. */
  lastRetryAfterMs: number | null;
  /**
   * The last limits that were found, as they were then; null is "not reported", never "not throttled". They are looked for in the
   * first 20 answers, in failures and in every 16th success, and in every answer once some were found.
   */
  rateLimit: RateLimit | null;
  /**
   * How much slower it has become: the median of the last 20 times to the headers by the median of all before, so 1 is "as
   * usual" and 3 "three times as slow". Null below 40 samples. Where no limits are reported, this and {@link lastRetryAfterMs} are
   * the signs of pressure.
   */
  drift: number | null;
}

/**
 * Milliseconds by rank, within 3.2 % of the exact ones, from 1/16 ms (shorter is 0) to 70 minutes (longer is that). Samples
 * are answers of 200 to 299 of a page that was awake; waits and failed attempts are not in them. Null without samples.
 */
export interface Quantiles {
  /** Half of the samples took at most this: the median. */
  p50Ms: number | null;
  /** 95 of 100 samples took at most this. */
  p95Ms: number | null;
  /** 99 of 100 samples took at most this. */
  p99Ms: number | null;
  /** How many they are. */
  samples: number;
}

/** One back end's circuit. */
export interface CircuitState {
  /** `circuit.key`, or the template of the host and the endpoint's name. */
  key: string;
  /** `'closed'`: calls go through. `'open'`: nobody sends. `'half-open'`: one probe may. */
  state: 'closed' | 'open' | 'half-open';
  /** Share of the attempts in the window that failed. */
  failureRate: number;
  /**
   * Attempts in the window that succeeded or failed; refusals (4xx) and aborts say nothing and are left out. Earlier ones have
   * faded, so it is no whole number, and at most 8 or twice `minimumCalls`.
   */
  calls: number;
  /** Milliseconds until it is half-open; null when it is not open. */
  reopensInMs: number | null;
}

/**
 * Something that happened, told apart by `type`: plain data, without addresses, keys, answers and errors. `kind`, `method`,
 * `endpoint` and `attempt` are as in {@link RetryContext}; `host` is a template.
 *
 * - `'attempt'`: a request has gone out.
 * - `'retry'`: a wait begins, as in `onRetry`; `errorType` is the name of the error, null after an answer.
 * - `'done'`: a call has ended; `startedAt` is when it began in milliseconds since 1970, `info` its account.
 * - `'cool-down'`: a gate has closed, `untilMs` since 1970.
 * - `'circuit'`: the circuit of `key` went `from` one state `to` another.
 * - `'retry-budget'`: its `change`, and how many repeats are `left`.
 */
export type SteadEvent =
  | { type: 'attempt'; kind: 'sp' | 'ai'; method: string; endpoint: string; attempt: number }
  | ({ type: 'retry'; errorType: string | null } & Omit<RetryEvent, 'response' | 'error'>)
  | { type: 'done'; host: string; startedAt: number; info: Omit<CallInfo, 'idempotencyKey'> }
  | { type: 'cool-down'; host: string; untilMs: number }
  | { type: 'circuit'; key: string; from: CircuitState['state']; to: CircuitState['state'] }
  | { type: 'retry-budget'; host: string; change: 'spent' | 'refunded' | 'empty'; left: number };

/**
 * The path of an address with placeholders in place of everything that is somebody's: names, titles, ids, files, sites,
 * numbers, dates. For labels of your own telemetry; calls are named by it, too. What is no address is `{other}`. Never
 * throws; without an engine everything is `{other}`.
 *
 * What stays is the shape of the API, and plain words that nothing marks as somebody's: `/api/greet/mueller` is told as
 * it is, `/api/users/mueller` is `/api/users/{id}`.
 *
 * @example
 * normalizeUrl("https://contoso.sharepoint.com/sites/hr/_api/web/lists/getbytitle('Tasks')/items(7)?$top=5");
 * // "/sites/{site}/_api/web/lists/getbytitle({s})/items({n})"
 */
export function normalizeUrl(url: string | URL, options?: NormalizeUrlOptions): string;

/** Options of {@link normalizeUrl}. A wrong value counts as the default. */
export interface NormalizeUrlOptions {
  /**
   * What is told of the query. `'drop'`: nothing. `'names'`: the names of its parameters, `?$top=&$filter=`. `'shape'`:
   * also placeholders for values and the shape of `$select`, `$expand`, `$orderby` and `$filter`,
   * `?$top={n}&$filter=Title eq {s}`.
   * @default 'drop'
   */
  query?: 'drop' | 'names' | 'shape';
  /**
   * Whether names of sites and sub-sites are told. The names of personal sites never are.
   * @default 'hide'
   */
  sites?: 'hide' | 'keep';
}

// ---------------------------------------------------------------- engine

/**
 * What runs the calls: `'wasm'`; `'js'` where the page refuses WebAssembly, the same rules compiled to JavaScript and loaded with
 * the first call, or by importing `steadfetch/asm`; `'none'` if that did not load either (a later call tries again), or after the
 * engine stopped: then every call is one plain fetch, never repeated. `'not-loaded'` before the first call.
 */
export function engine(): 'wasm' | 'js' | 'none' | 'not-loaded';

/**
 * Loads ahead of the first call. Optional, but for pages that refuse WebAssembly: there, {@link normalizeUrl} and the readers
 * of headers know nothing (`'{other}'`, null) until this has resolved or a call has ended.
 *
 * @example
 * await ready();
 */
export function ready(): Promise<'wasm' | 'js' | 'none'>;
