// Many calls of one page: what one of them is told, the others need not find out.

const lists = { Orders: [{ Title: 'Order 1001' }, { Title: 'Order 1002' }, { Title: 'Order 1003' }] };

export const tenWebParts = {
  id: 'ten-web-parts',
  title: 'Ten web parts',
  hint: 'one is throttled, all wait',
  story:
    'The first web part is told to wait for a second. The other nine load a moment later, and each would be told the ' +
    'same, which SharePoint counts against you. Instead they wait, too: then one goes first, and the others follow, ' +
    '2, 4, 8 in each tenth of a second.',
  lesson: 'One asks, all wait: across bundles and versions on the page, and across tabs with `coolDown: \'tabs\'`.',
  script: { lists, steps: [{ status: 429, headers: { 'Retry-After': 1 }, delayMs: 100 }, { delayMs: 80, times: 10 }] },
  async call({ spFetch, itemsUrl, json, moment, show }) {
    const load = (part) => spFetch(`${itemsUrl}?$top=${part}`, { headers: json });
    const parts = [load(1)];
    await moment(); // the others load a little later
    for (let part = 2; part <= 10; part += 1) parts.push(load(part));
    const answers = await Promise.all(parts);
    show(`${answers.filter(({ ok }) => ok).length} web parts have their data`);
  },
  outcome: { stop: 'success', requests: 11, throttled: 1 },
  lastsMs: 2_000,
};

export const backEndDown = {
  id: 'back-end-down',
  title: 'Back end down',
  hint: 'the circuit opens',
  story:
    'The back end answers 502 to everything. After four failures in a row its circuit opens, for two seconds or so: the ' +
    'next call may wait for that and is the probe. It fails, too, so the one after it is refused at once.',
  lesson: 'A back end in trouble is left alone, and your user hears it at once, with `retryAfterMs`.',
  script: { steps: [{ status: 502, delayMs: 60, times: 9 }] },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    // Open for 1.6 to 2.4 s: by itself it may be longer than a call waits.
    const aiFetch = createAiFetch({ idempotencyKey: true, maxRetries: 0, circuit: { openMs: 2_000 } });
    for (let call = 1; call <= 6; call += 1) {
      try {
        await aiFetch(chatUrl, { method: 'POST', body: question });
      } catch (error) {
        show(explain(error)); // isSteadError(error, 'ECIRCUITOPEN')
      }
    }
  },
  outcome: {
    stop: 'no-retries-left',
    others: ['no-retries-left', 'no-retries-left', 'no-retries-left', 'no-retries-left', 'circuit-open'],
    requests: 5,
    modelCalls: 0,
  },
  lastsMs: 3_200,
};
