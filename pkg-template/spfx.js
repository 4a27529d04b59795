// SPFx's clients as transports: they add digest, tokens and headers, spFetch and aiFetch say what is repeated and when.

import { SteadError } from './index.js';

export { via as viaSPHttpClient, via as viaAadHttpClient, via as viaHttpClient };

/** Of a Request, since a client takes an address and a RequestInit. Its body is read. */
const MEMBERS = [
  'method', 'headers', 'signal', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy', 'integrity',
  'keepalive',
];

function via(client, configuration) {
  if (!client || typeof client.fetch !== 'function') throw new SteadError('EOPTION', '`client` must be an SPHttpClient, AadHttpClient or HttpClient.');
  return async (input, init) => {
    // Never the caller's own, and never none: AadHttpClient writes into the options that it is given.
    const options = Object.assign({}, init);
    const isRequest = typeof input === 'object' && typeof input.url === 'string';
    if (isRequest) {
      const request = new Request(input, init);
      for (const name of MEMBERS) options[name] = request[name];
      if (!/^(get|head)$/i.test(request.method)) options.body = await request.arrayBuffer();
    }
    return client.fetch(isRequest ? input.url : String(input), configuration, options);
  };
}
