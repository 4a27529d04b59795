// application-insights.d.mts, application-insights.d.ts
export interface ApplicationInsightsLike {
  trackDependencyData(dependency: {
    id: string;
    name: string;
    target: string;
    type: string;
    startTime: Date;
    duration: number;
    success: boolean;
    responseCode: number;
    properties: Record<string, string>;
  }): void;
}
export function trackWithApplicationInsights(appInsights: ApplicationInsightsLike): () => void;

// asm.d.mts, asm.d.ts, index.d.mts, index.d.ts
/// <reference lib="es2018.asynciterable" />
export type FetchLike = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
export function spFetch(input: RequestInfo | URL, init?: SpFetchInit): Promise<Response>;
export function aiFetch(input: RequestInfo | URL, init?: AiFetchInit): Promise<Response>;
export function createSpFetch(defaults?: SpFetchOptions): typeof spFetch;
export function createAiFetch(defaults?: AiFetchOptions): typeof aiFetch;
export interface SpFetchInit extends Omit<RequestInit, 'headers'>, SpFetchOptions {
  headers?: HeadersInit | HeadersFactory;
}
export interface AiFetchInit extends Omit<RequestInit, 'headers'>, AiFetchOptions {
  headers?: HeadersInit | HeadersFactory;
}
export type HeadersFactory = (ctx: { attempt: number }) => HeadersInit | Promise<HeadersInit>;
export interface CommonOptions {
  maxRetries?: number;
  timeout?: number | { totalMs?: number; attemptMs?: number; idleMs?: number };
  retryStatuses?: number[];
  backoff?: { baseMs?: number; capMs?: number };
  fetch?: FetchLike;
  shouldRetry?: (ctx: RetryContext) => boolean | undefined;
  onRetry?: (e: RetryEvent) => void;
  retryBudget?:
    | false
    | { ratio?: number; minPerMinute?: number }
    | { capacity: number; transientCost?: number; throttleCost?: number };
  coolDown?: 'page' | 'tabs' | false;
  endpoint?: string;
  minAttemptMs?: number;
  onDone?: (info: CallInfo) => void;
}
export interface SpFetchOptions extends CommonOptions {
  digest?: () => Promise<string>;
}
export interface AiFetchOptions extends CommonOptions {
  slowAfterMs?: number;
  circuit?: false | { key?: string; failureRate?: number; minimumCalls?: number; windowMs?: number; openMs?: number };
  idempotencyKey?: string | boolean;
  idempotencyHeader?: string;
  deadlineHeader?: string | false;
}
export interface RetryContext {
  kind: 'sp' | 'ai';
  method: string;
  endpoint: string;
  attempt: number;
  elapsedMs: number;
  status: number | null;
  error: unknown;
  response: Response | null;
}
export interface RetryEvent extends RetryContext {
  delayMs: number;
  retryAfterMs: number | null;
  reason: string;
}
export function getCallInfo(of: Response | unknown): CallInfo | undefined;
export function explain(of: Response | unknown): string;
export interface CallInfo {
  kind: 'sp' | 'ai';
  method: string;
  endpoint: string;
  attempts: AttemptInfo[];
  totalMs: number;
  waitedMs: number;
  stop: StopReason;
  retryAfterMs: number | null;
  retryAfterHidden: boolean;
  rateLimit: RateLimit | null;
  correlationId: string | null;
  page: 'login' | 'throttle' | 'html' | null;
  idempotencyKey: string | null;
}
export interface AttemptInfo {
  startedMs: number;
  elapsedMs: number;
  allowedMs: number | null;
  status: number | null;
  error: string | null;
  suspended: boolean;
  waitMs: number | null;
  decision: string;
}
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
export class SteadError extends Error {
  constructor(
    code: SteadError['code'],
    message: string,
    details?: { status?: number | null; retryAfterMs?: number | null; pages?: number; items?: number; cause?: unknown },
  );
  readonly name: 'TimeoutError' | 'SteadError';
  readonly code: 'ETIMEOUT' | 'ECIRCUITOPEN' | 'ECOOLINGDOWN' | 'EPARTIALREAD' | 'EOPTION' | 'EENGINE';
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly pages?: number;
  readonly items?: number;
  readonly cause?: any;
}
export function isSteadError(e: unknown, code?: SteadError['code']): e is SteadError;
export function readRetryAfter(from: unknown, nowMs?: number): number | null;
export function readRateLimit(from: unknown, nowMs?: number): RateLimit | null;
export interface RateLimit {
  limit: number | null;
  remaining: number | null;
  resetMs: number | null;
  policy: { name: string | null; limit: number | null; windowMs: number | null }[] | null;
  units?: Record<string, { limit: number | null; remaining: number | null; resetMs: number | null }>;
}
export function readAiResult(response: Response, options?: AiReadOptions): Promise<AiResult>;
export function streamAi(response: Response, options?: AiReadOptions): AsyncIterable<string> & { readonly result: Promise<AiResult> };
export function askAi(
  input: RequestInfo | URL,
  init?: AiFetchInit &
    AiReadOptions & {
      onText?: (delta: string) => void;
      fallbacks?: Fallback[];
      fallbackMs?: number;
    },
): Promise<AiAnswer>;
export interface AiReadOptions {
  read?: (body: unknown) => { text: string; finishReason?: string } | undefined;
  totalMs?: number;
  idleMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}
export interface AiResult {
  outcome: 'complete' | 'truncated' | 'refused' | 'tool_calls' | 'error' | 'incomplete_stream' | 'unknown';
  text: string | null;
  partialText: boolean;
  finishReason: string | null;
  provider: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama' | 'custom' | 'unknown';
  errorKind: string | null;
  retryable: boolean;
  retryAfterMs: number | null;
  usage: { inputTokens: number | null; outputTokens: number | null } | null;
}
export interface Fallback {
  source: 'backup-model' | 'cache' | 'plain';
  on?: AiFailure['reason'][];
  get: (why: AiFailure, signal: AbortSignal) => Promise<string | null | undefined> | string | null | undefined;
}
export interface AiFailure {
  reason: 'deadline' | 'unavailable' | 'circuit-open' | 'refused' | 'truncated' | 'error';
  result: AiResult | null;
  error: unknown;
  info: CallInfo | undefined;
}
export interface AiAnswer {
  text: string | null;
  source: 'model' | 'backup-model' | 'cache' | 'plain' | 'none';
  result: AiResult | null;
  failure: AiFailure | null;
  message: string;
}
export function writeOnce<T>(input: RequestInfo | URL, init: WriteOnceInit<T>): Promise<WriteResult<T>>;
export interface WriteOnceInit<T> extends SpFetchInit {
  find: (signal: AbortSignal) => Promise<T | null | undefined> | T | null | undefined;
  maxSends?: number;
  settleMs?: number;
  lostAnswer?: 'stop' | 'resend';
}
export type WriteResult<T> =
  | { status: 'written'; response: Response; sends: number }
  | { status: 'already-applied'; found: T; sends: number }
  | { status: 'rejected'; response: Response; sends: number }
  | { status: 'not-applied'; cause: unknown; sends: number }
  | { status: 'unknown'; cause: unknown; findError?: unknown; sends: number };
export function readAll<T = unknown>(input: RequestInfo | URL, init?: ReadAllInit): Promise<T[]>;
export interface ReadAllInit extends SpFetchInit {
  onPage?: (progress: { pages: number; items: number }) => void;
  maxItems?: number;
  runMs?: number;
}
export function collapseDuplicates<T>(
  items: readonly T[],
  key: (item: T) => string | number,
  keep?: 'first' | 'last',
): { items: T[]; duplicates: T[] };
export function telemetry(): TelemetrySnapshot;
export function resetTelemetry(): void;
export function subscribe(listener: (e: SteadEvent) => void): () => void;
export function resetPageState(): void;
export interface TelemetrySnapshot {
  sinceMs: number;
  endpoints: EndpointStats[];
  circuits: CircuitState[];
  coolDowns: { host: string; untilMs: number }[];
  budgets: { host: string; repeats: number; reserve: number }[];
}
export interface EndpointStats {
  endpoint: string;
  host: string;
  method: string;
  kind: 'sp' | 'ai';
  calls: number;
  attempts: number;
  retries: number;
  throttled: number;
  slowFailures: number;
  failures: number;
  headers: Quantiles;
  body: Quantiles;
  suggestedAttemptMs: number | null;
  suggestedTotalMs: number | null;
  lastRetryAfterMs: number | null;
  rateLimit: RateLimit | null;
  drift: number | null;
}
export interface Quantiles {
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  samples: number;
}
export interface CircuitState {
  key: string;
  state: 'closed' | 'open' | 'half-open';
  failureRate: number;
  calls: number;
  reopensInMs: number | null;
}
export type SteadEvent =
  | { type: 'attempt'; kind: 'sp' | 'ai'; method: string; endpoint: string; attempt: number }
  | ({ type: 'retry'; errorType: string | null } & Omit<RetryEvent, 'response' | 'error'>)
  | { type: 'done'; host: string; startedAt: number; info: Omit<CallInfo, 'idempotencyKey'> }
  | { type: 'cool-down'; host: string; untilMs: number }
  | { type: 'circuit'; key: string; from: CircuitState['state']; to: CircuitState['state'] }
  | { type: 'retry-budget'; host: string; change: 'spent' | 'refunded' | 'empty'; left: number };
export function normalizeUrl(url: string | URL, options?: NormalizeUrlOptions): string;
export interface NormalizeUrlOptions {
  query?: 'drop' | 'names' | 'shape';
  sites?: 'hide' | 'keep';
}
export function engine(): 'wasm' | 'js' | 'none' | 'not-loaded';
export function ready(): Promise<'wasm' | 'js' | 'none'>;

// opentelemetry.d.mts, opentelemetry.d.ts
export interface TracerLike {
  startSpan(
    name: string,
    options?: {
      kind?: number;
      startTime?: [number, number];
      attributes?: Record<string, string | number>;
      links?: { context: SpanContextLike }[];
    },
  ): { setStatus(status: { code: number }): unknown; end(endTime?: [number, number]): void; spanContext(): SpanContextLike };
}
export interface SpanContextLike {
  traceId: string;
  spanId: string;
  traceFlags: number;
}
export function traceWithOpenTelemetry(tracing: TracerLike | { getTracer(name: string): TracerLike }): () => void;

// pnpjs.d.mts, pnpjs.d.ts
import type { SpFetchOptions } from './index.js';
export interface SendingTimeline {
  readonly on: { readonly send: { replace(send: (url: URL, init: RequestInit) => Promise<Response>): unknown } };
}
export function SteadFetch(options?: SpFetchOptions): <T extends SendingTimeline>(instance: T) => T;

// spfx.d.mts, spfx.d.ts
import type { FetchLike } from './index.js';
export interface SpfxClient<Configuration> {
  readonly fetch: (url: string, configuration: Configuration, options: RequestInit) => Promise<SpfxResponse>;
}
export interface SpfxResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}
export function viaSPHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;
export function viaAadHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;
export function viaHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;

// user-timing.d.mts, user-timing.d.ts
export function measureWithUserTiming(): () => void;
