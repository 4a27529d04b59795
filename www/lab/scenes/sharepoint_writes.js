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

export const verifiedWrite = {
  id: 'verified-write',
  title: 'Verified write',
  hint: 'POST answered 429, then looked for',
  story:
    'The same as the throttled write: the item is created, and the answer is 429. `writeOnce` waits as long as it was ' +
    'asked to and then looks for the item, by a key that the page made before it sent anything. It is there, so nothing ' +
    'is sent again.',
  lesson:
    'What cannot be repeated can be verified. Not there twice, it would have been sent again. Give the key a column that ' +
    'is unique, and even a write that lands late cannot double.',
  script: {
    lists: { Orders: ORDERS },
    steps: [{ status: 429, headers: { 'Retry-After': 1 }, delayMs: 150, apply: true }, { delayMs: 150 }],
  },
  async call({ writeOnce, spFetch, itemsUrl, json, order, show }) {
    const find = async () => {
      const response = await spFetch(`${itemsUrl}?$filter=Title eq 'Order 1004'`, { headers: json });
      if (!response.ok) throw new Error('nobody could look');
      return (await response.json()).value[0];
    };
    const settleMs = 1_000; // only here; the default is 10_000
    const { status } = await writeOnce(itemsUrl, { method: 'POST', headers: json, body: order, find, settleMs });
    show(status);
  },
  outcome: { stop: 'unsafe-method', others: ['success'], requests: 2, itemsAdded: 1 },
  compare: { requests: 2, itemsAdded: 2 },
  lastsMs: 1_700,
};
