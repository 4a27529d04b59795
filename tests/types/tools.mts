// The real packages are what the tools' entries take.

import { trace, type Tracer } from '@opentelemetry/api';
import { ApplicationInsights } from '@microsoft/applicationinsights-web';
import { resetTelemetry, subscribe, telemetry, type EndpointStats, type SteadEvent } from 'steadfetch';
import { trackWithApplicationInsights } from 'steadfetch/application-insights';
import { traceWithOpenTelemetry } from 'steadfetch/opentelemetry';
import { measureWithUserTiming } from 'steadfetch/user-timing';

const tracer: Tracer = trace.getTracer('page');
export const ends: (() => void)[] = [
  traceWithOpenTelemetry(tracer),
  traceWithOpenTelemetry(trace.getTracerProvider()),
  trackWithApplicationInsights(new ApplicationInsights({ config: { connectionString: '', disableFetchTracking: true } })),
  measureWithUserTiming(),
];

export function described(event: SteadEvent): string {
  switch (event.type) {
    case 'attempt': return `${event.method} ${event.endpoint} ${event.attempt}`;
    case 'retry': return `${event.errorType ?? event.status} ${event.delayMs}`;
    case 'done':
      // @ts-expect-error told to nobody
      void event.info.idempotencyKey;
      return `${event.host} ${event.startedAt} ${event.info.stop}`;
    case 'cool-down': return event.host;
    case 'circuit': return event.key;
    case 'retry-budget': return event.change;
  }
}
export const end = subscribe(described);

const [first]: EndpointStats[] = telemetry().endpoints;
export const p99: number | null | undefined = first?.headers.p99Ms;
export const pressure: number | null = first?.rateLimit ? first.rateLimit.remaining : (first?.drift ?? null);
resetTelemetry();

// @ts-expect-error neither a tracer nor a provider
traceWithOpenTelemetry({});
