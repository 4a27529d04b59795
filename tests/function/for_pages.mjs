// The function for the suites in a browser, on an origin of its own. The page scripts its model on the lab server, and
// has a function of its own for each: `/{options}/api/ask`, where the options are JSON with the model's address.
//
//   GET /requests/{options}    what came there, as serve.mjs notes it

import { createAsk } from '../../www/function/ask.js';
import { chatModel } from '../../www/function/model.js';
import { serve } from './serve.mjs';

/** `page` is the origin of the suites. */
export async function functionsForPages(page) {
  const functions = new Map(); // by options
  const app = await serve(respond, { instead });
  return app;

  function open(options) {
    if (!functions.has(options)) {
      const { model, ends = [], ...limits } = JSON.parse(options);
      functions.set(options, { ask: createAsk({ askModel: chatModel({ url: model }), origins: [page], ...limits }), ends });
    }
    return functions.get(options);
  }

  async function respond(request, context) {
    const [first, second] = parts(request);
    if (first !== 'requests') return open(first).ask(request, context);
    const requests = app.requests.filter(({ url }) => parts({ url })[0] === second);
    return { jsonBody: requests, headers: { 'access-control-allow-origin': page } };
  }

  /** `ends` says how the requests end that are no preflights, one after the other; null is their own answer. */
  function instead(request) {
    const [first] = parts(request);
    if (first === 'requests' || request.method === 'OPTIONS') return undefined;
    return open(first).ends.shift() ?? undefined;
  }
}

const parts = ({ url }) => new URL(url).pathname.split('/').slice(1).map(decodeURIComponent);
