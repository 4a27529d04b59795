// Secrets and names in every place of a request and an answer where somebody could put them. What the package tells of such
// calls is looked through after each test, as after all others (emitted.mjs); here the places are filled, and it is proven
// that a leak would be found.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, createAiFetch, createSpFetch, explain, getCallInfo, isSteadError, resetTelemetry, spFetch } from '/pkg/index.mjs';
import { PLANTED, heard, leaks } from './emitted.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { nextTask } from './next_task.mjs';

const HEADERS = {
  Authorization: 'Bearer geheim-token', 'X-RequestDigest': '0xGEHEIM,digest', 'X-User': 'anna.mueller@contoso.com', Accept: 'application/json;geheim=1',
};
const BODY = JSON.stringify({ user: 'anna.mueller@contoso.com', password: 'geheim', Title: 'geheim' });
/** What a server may say. */
const ANSWER = {
  headers: {
    'x-user': 'anna.mueller', 'request-id': 'geheim anna.mueller', SPRequestGuid: 'anna.mueller@contoso.com', 'retry-after-ms': 1,
    'RateLimit-Limit': 'geheim', 'x-ratelimit-geheim': 'anna.mueller', 'x-ratelimit-remaining-requests': 'geheim',
  },
  body: BODY,
};
const SP_PATHS = [
  ITEMS,
  `${ITEMS}(7)?$filter=Author eq 'anna.mueller@contoso.com'&$select=geheim#geheim`,
  "/sites/geheim/_api/web/lists/getbytitle('geheim anna.mueller')/items",
  "/sites/a/_api/web/siteusers(@v)?@v='i:0%23.f|membership|anna.mueller@contoso.com'",
  '/personal/anna.mueller_contoso_com/_api/web',
  "/sites/a/_api/web/GetFileByServerRelativeUrl('/sites/a/Shared%20Documents/geheim.docx')/$value",
  '/sites/a/Shared%20Documents/anna.mueller/geheim.docx',
];
const AI_PATHS = [MODEL, '/api/users/anna.mueller@contoso.com/ask', '/api/chats/geheim/messages?key=geheim'];
const STEPS = [
  { ...ANSWER, status: 200 }, { ...ANSWER, status: 404 }, { ...ANSWER, status: 429 }, { ...ANSWER, status: 500 }, { ...ANSWER, status: 503 },
  { drop: 'rst-mid-headers' }, { redirect: 'login' },
];

/** Everything that a page can ask of a call. */
function told(of) {
  const { idempotencyKey, ...info } = getCallInfo(of) ?? {};
  return `${JSON.stringify(info)} ${explain(of)} ${isSteadError(of) ? `${of} ${JSON.stringify(of)}` : ''}`;
}
const isClean = (text) => {
  for (const word of PLANTED) expect(text.toLowerCase()).not.to.include(word);
};

describe('secrets and names', () => {
  const spiteful = () => {
    throw new Error('geheim: anna.mueller@contoso.com');
  };
  const sp = createSpFetch({ retryBudget: false, coolDown: false, backoff: { baseMs: 1, capMs: 1 }, onDone: spiteful, onRetry: spiteful });
  const ai = createAiFetch({ retryBudget: false, coolDown: false, circuit: false, backoff: { baseMs: 1, capMs: 1 }, idempotencyKey: 'geheim-key', onDone: spiteful });

  for (const [name, send, paths, init] of [
    ['reads of spFetch', sp, SP_PATHS, { headers: HEADERS }],
    ['writes of spFetch', sp, SP_PATHS, { method: 'POST', headers: HEADERS, body: BODY, digest: undefined }],
    ['aiFetch', ai, AI_PATHS, { method: 'POST', headers: HEADERS, body: BODY }],
  ]) {
    it(`in address, headers and bodies of ${name} are told nowhere, however it ends`, async () => {
      for (const step of STEPS) {
        const server = await lab({ steps: [step, step, step, step], then: 'repeat' });
        for (const path of paths) isClean(told(await send(server.here(path), init).catch((error) => error)));
      }
    });
  }

  it('on another origin are told nowhere either', async () => {
    const server = await lab({ steps: [{ ...ANSWER, status: 503 }], cors: false });
    isClean(told(await sp(server.elsewhere(ITEMS)).catch((error) => error)));
  });

  it('in an abort\'s reason, a callback\'s error or a wrong option are told nowhere', async () => {
    const server = await lab();
    const reason = new DOMException('geheim anna.mueller', 'AbortError');
    const failures = [
      { signal: AbortSignal.abort(reason) },
      { headers: spiteful },
      { digest: spiteful, method: 'POST' },
      { headers: { 'geheim anna.mueller': 'x' } },
      { headers: 'geheim anna.mueller' },
      { fetch: async () => 'geheim anna.mueller' },
      { fetch: spiteful },
      { endpoint: 'geheim anna.mueller'.repeat(20) },
    ];
    for (const init of failures) isClean(told(await spFetch(server.here(ITEMS), init).catch((error) => error)));
  });

  it('in a gate and a circuit are told nowhere, and neither is whose they are', async () => {
    const server = await lab({ steps: [{ ...ANSWER, status: 429, headers: { ...ANSWER.headers, 'retry-after-ms': 50_000 } }], then: 'repeat' });
    const errors = [];
    for (let n = 0; n < 3; n++) errors.push(await spFetch(server.here(ITEMS), { timeout: 100, maxRetries: 0 }).catch((error) => error));
    expect(errors.filter((error) => isSteadError(error))).not.to.be.empty;
    const down = await lab({ steps: [{ ...ANSWER, status: 502 }], then: 'repeat' });
    for (let n = 0; n < 6; n++) errors.push(await aiFetch(down.here(MODEL), { method: 'POST', maxRetries: 0, timeout: 100 }).catch((error) => error));
    for (const error of errors) isClean(told(error));
    await nextTask();
    isClean(leaks().join('\n'));
  });
});

describe('the look through everything', () => {
  it('finds what a listener, the console or an error would tell', async () => {
    expect(PLANTED.length).to.be.at.least(3);
    const server = await lab();
    // As if normalizeUrl did nothing: the caller's own names are told as they are.
    await spFetch(server.here(ITEMS), { endpoint: '/users/anna.mueller' });
    await spFetch(server.here(ITEMS), { maxRetries: 'geheim' }).catch(() => {});
    console.debug(`called ${location.host}`);
    await nextTask();
    const found = leaks();
    resetTelemetry();
    for (const kind of ['event', 'snapshot', 'span', 'dependency', 'error', 'console']) {
      expect(found.some((leak) => leak.includes(` in ${kind}: `)), `a leak in ${kind}`).to.equal(true);
    }
  });

  it('has heard of every kind', () => {
    for (const [kind, characters] of Object.entries(heard)) expect(characters, kind).to.be.above(0);
  });
});
