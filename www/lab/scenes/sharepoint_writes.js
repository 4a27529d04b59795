// Writes: sent once, whatever comes back, because nobody can tell from the answer whether they were applied.

const ORDERS = [{ Title: 'Order 1001' }, { Title: 'Order 1002' }, { Title: 'Order 1003' }];

export const throttledWrite = {
  id: 'throttled-write',
  title: 'Throttled write',
  hint: 'POST answered 429, yet applied',
  story:
    'SharePoint creates the item and then answers 429 with Retry-After: 1. From the page this looks like any other ' +
    'throttled request. SharePoint knows no idempotency key, so whoever repeats the POST creates the item again.',
  lesson: 'A write is sent once. The person is told that it may have been applied, and looks before trying again.',
  script: {
    lists: { Orders: ORDERS },
    steps: [{ status: 429, headers: { 'Retry-After': 1 }, delayMs: 150, apply: true }, { delayMs: 150 }],
  },
  async call({ spFetch, explain, itemsUrl, json, order, show }) {
    const response = await spFetch(itemsUrl, { method: 'POST', headers: json, body: order });
    show(response.ok ? 'Saved.' : explain(response));
  },
  outcome: { stop: 'unsafe-method', requests: 1, itemsAdded: 1 },
  compare: { requests: 2, itemsAdded: 2 },
  lastsMs: 1_500,
};

export const lostAnswer = {
  id: 'lost-answer',
  title: 'Lost answer',
  hint: 'POST applied, connection reset',
  story:
    'The item is created, then the connection breaks in the middle of the answer. `fetch` rejects with the same ' +
    'TypeError as for a server that was never reached.',
  lesson: 'A network error does not say that nothing happened. A write whose answer was lost is not sent again.',
  script: {
    lists: { Orders: ORDERS },
    steps: [{ drop: 'rst-mid-headers', delayMs: 150, apply: true }, { delayMs: 150 }],
  },
  async call({ spFetch, explain, itemsUrl, json, order, show }) {
    try {
      const response = await spFetch(itemsUrl, { method: 'POST', headers: json, body: order });
      show(response.ok ? 'Saved.' : explain(response));
    } catch (error) {
      show(explain(error));
    }
  },
  outcome: { stop: 'unsafe-method', requests: 1, itemsAdded: 1 },
  compare: { requests: 2, itemsAdded: 2 },
  lastsMs: 1_500,
};
