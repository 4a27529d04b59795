// Calls as OpenTelemetry spans, by the stable semantic conventions for HTTP: a client span for each attempt.

import { onAttempts, wrong } from './attempts.js';

/** Methods that the conventions know; others are `_OTHER`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
/** Of the enums `SpanKind` and `SpanStatusCode`, which are not imported: this entry pulls in nothing. */
const CLIENT = 2, ERROR = 2;

export function traceWithOpenTelemetry(tracing) {
  const tracer = tracing && typeof tracing.getTracer === 'function' ? tracing.getTracer('steadfetch') : tracing;
  if (!tracer || typeof tracer.startSpan !== 'function') throw wrong('tracing', 'a Tracer or a TracerProvider of OpenTelemetry');
  return onAttempts(({ info, host, startedAt, elapsedMs, status, errorType, repeats }, before) => {
    const upper = info.method.toUpperCase();
    const method = METHODS.includes(upper) ? upper : '_OTHER';
    const attributes = { 'http.request.method': method, 'url.template': info.endpoint };
    if (method !== info.method) attributes['http.request.method_original'] = info.method;
    if (host) attributes['server.address'] = host;
    if (status) attributes['http.response.status_code'] = status;
    if (repeats > 0) attributes['http.request.resend_count'] = repeats;
    if (errorType) attributes['error.type'] = errorType;
    const span = tracer.startSpan(`${method === '_OTHER' ? 'HTTP' : method} ${info.endpoint}`, {
      kind: CLIENT, startTime: time(startedAt), attributes, links: before ? [{ context: before }] : [],
    });
    if (errorType) span.setStatus({ code: ERROR });
    span.end(time(startedAt + elapsedMs));
    return span.spanContext();
  });
}

/** As seconds and nanoseconds: a number could be taken for one of `performance.now()`. */
function time(ms) {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(Math.round((ms - seconds * 1000) * 1e6), 999999999)];
}
