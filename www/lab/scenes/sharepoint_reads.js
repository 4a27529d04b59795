// Reads: repeated politely, and never beyond the caller's own limits.

const lists = { Orders: [{ Title: 'Order 1001' }, { Title: 'Order 1002' }, { Title: 'Order 1003' }] };
const answered = { delayMs: 150 };
const throttled = (seconds) => ({ status: 429, headers: { 'Retry-After': seconds }, delayMs: 150 });

export const throttledRead = {
  id: 'throttled-read',
  title: 'Throttled read',
  hint: 'GET answered 429, 429, 200',
  story:
    'SharePoint refuses the read twice and asks for a wait of one second each time. Reading again harms nobody, so ' +
    'spFetch waits as long as it was asked to, and a little jitter more, and reads again.',
  lesson: 'Retry-After is a floor: never shortened, only a little jitter on top, so that clients do not return together.',
  script: { lists, steps: [{ ...throttled(1), times: 2 }, answered] },
  async call({ spFetch, explain, itemsUrl, json, show }) {
    const response = await spFetch(itemsUrl, { headers: json });
    if (!response.ok) return show(explain(response));
    const { value } = await response.json();
    show(`${value.length} orders`);
  },
  outcome: { stop: 'success', requests: 3 },
  lastsMs: 2_800,
};

export const longWait = {
  id: 'long-wait',
  title: 'Wait too long',
  hint: 'Retry-After beyond the deadline',
  story:
    'The caller has two seconds; the server asks for five. Waiting would only end in a timeout that hides the ' +
    'reason, so the 429 comes back at once, unread, and says when to try again.',
  lesson: 'A wait that does not fit is not begun. `getCallInfo(response).retryAfterMs` has what the server asked for.',
  script: { lists, steps: [throttled(5), answered] },
  async call({ spFetch, explain, itemsUrl, json, show }) {
    const response = await spFetch(itemsUrl, { headers: json, timeout: 2_000 });
    show(response.ok ? 'Here are your orders.' : explain(response));
  },
  outcome: { stop: 'wait-exceeds-time-left', requests: 1 },
  lastsMs: 500,
};

export const cancel = {
  id: 'cancel',
  title: 'Cancel while waiting',
  hint: 'AbortSignal during Retry-After',
  story:
    'The server asks for four seconds. Press Cancel (or Escape) meanwhile: the call ends with your own abort reason ' +
    'and sends nothing any more. Leave it alone, and it succeeds.',
  lesson: 'Your AbortSignal works at every moment: before, during a request, during a wait, and while the body comes.',
  script: { lists, steps: [throttled(4), answered] },
  async call({ spFetch, explain, itemsUrl, json, signal, show }) {
    try {
      await spFetch(itemsUrl, { headers: json, signal }); // the Cancel button aborts it
      show('Here are your orders.');
    } catch (error) {
      show(explain(error));
    }
  },
  cancellable: true,
  outcome: { stop: 'aborted', requests: 1 },
  outcomeIfLeftAlone: { stop: 'success', requests: 2 },
  lastsMs: 4_600,
};

export const login = {
  id: 'login',
  title: 'Sign-in page',
  hint: '200, but HTML',
  story:
    'The session has expired. The browser follows the redirect on its own, and `fetch` reports 200 OK with the HTML ' +
    'of the sign-in page; `response.json()` would fail on its first character.',
  lesson: '`getCallInfo(response).page` says that a page answered in place of data. It does not heal, so it is not repeated.',
  script: { steps: [{ redirect: 'login', delayMs: 150 }] },
  async call({ spFetch, getCallInfo, explain, itemsUrl, json, show }) {
    const response = await spFetch(itemsUrl, { headers: json });
    if (getCallInfo(response).page === 'login') show(explain(response));
  },
  outcome: { stop: 'final-status', requests: 2, redirects: 1, page: 'login' },
  lastsMs: 500,
};

export const throttlePage = {
  id: 'throttle-page',
  title: 'Throttle.htm',
  hint: 'redirected to a throttling page',
  story:
    'A tenant that is throttled hard is sent to a page, Throttle.htm, with status 200. It names no wait, and hammering ' +
    'makes it worse.',
  lesson: 'The page is recognised by its address, never by its words, counts as throttled, and is not repeated.',
  script: { steps: [{ redirect: 'throttle', delayMs: 150 }] },
  async call({ spFetch, getCallInfo, explain, itemsUrl, json, show }) {
    const response = await spFetch(itemsUrl, { headers: json });
    if (getCallInfo(response).page === 'throttle') show(explain(response));
  },
  outcome: { stop: 'final-status', requests: 2, redirects: 1, page: 'throttle' },
  lastsMs: 500,
};

export const rateLimit = {
  id: 'rate-limit',
  title: 'RateLimit headers',
  hint: 'slow down before you must',
  story:
    'The answer reports what is left of the limit. Several generations of these headers are about, and most servers ' +
    'send none: SharePoint has withdrawn its preview of them in 2026.',
  lesson: '`readRateLimit` reads them all and never throws. Null is “not reported”, never “not throttled”.',
  script: {
    lists,
    headers: { 'RateLimit-Limit': 1200, 'RateLimit-Remaining': 84, 'RateLimit-Reset': 18 },
    steps: [answered],
  },
  async call({ spFetch, readRateLimit, itemsUrl, json, show }) {
    const response = await spFetch(itemsUrl, { headers: json });
    const limit = readRateLimit(response);
    if (limit) show(`${limit.remaining} of ${limit.limit} left, reset in ${limit.resetMs} ms`);
  },
  outcome: { stop: 'success', requests: 1 },
  lastsMs: 500,
};
