import { AuthenticationHandler, Client, HTTPMessageHandler, RetryHandler, RetryHandlerOptions, TelemetryHandler } from '@microsoft/microsoft-graph-client';

export const peer = { name: '@microsoft/microsoft-graph-client', gives: 'JSON', repeats: true, fails: 503, changed: '`delay` 0 s instead of 3 s' };

/** Its default chain, with another delay. */
export function make() {
  const chain = [
    new AuthenticationHandler({ getAccessToken: async () => 'token' }),
    new RetryHandler(new RetryHandlerOptions(0)),
    new TelemetryHandler(),
    new HTTPMessageHandler(),
  ];
  const client = Client.initWithMiddleware({ middleware: chain });
  return () => client.api('/sites/a/lists/orders/items').get();
}
