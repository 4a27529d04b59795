/** What is used of a `Tracer` of `@opentelemetry/api`. */
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

/** What is used of a `SpanContext`. */
export interface SpanContextLike {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

/**
 * Makes a span of every attempt of every call of this copy of the package, when the call has ended, with exact times. Gives
 * the function that ends it. Takes a `Tracer`, or a `TracerProvider` whose `getTracer` it
 * asks for the tracer `steadfetch`.
 *
 * By the stable semantic conventions for HTTP: a client span named `{method} {url.template}` with `http.request.method`,
 * `url.template`, `http.response.status_code`, `error.type`, on repeats `http.request.resend_count`, and as
 * `server.address` the host's template. A 4xx, a 5xx or no answer is the status ERROR. A repeat links to the attempt before.
 * `url.full` and `server.port` are left out on purpose: an address is somebody's.
 *
 * @example
 * import { trace } from '@opentelemetry/api';
 * const end = traceWithOpenTelemetry(trace.getTracerProvider());
 */
export function traceWithOpenTelemetry(tracing: TracerLike | { getTracer(name: string): TracerLike }): () => void;
