// Failures of an AI back end: repeated when they were fast, never when they were slow.

const model = { answer: { answer: 'Your order arrives on Thursday.' } };
const answered = { delayMs: 150 };

export const slowFailure = {
  id: 'slow-502',
  title: 'Slow 502',
  hint: 'a timeout, already paid for',
  story:
    'The load balancer gives up after 230 seconds and answers 502. The model knows nothing of that: it goes on, and ' +
    'its answer is billed. Each repeat is another 230 seconds of waiting and another call on the bill.',
  lesson: 'Fast failures are hiccups, slow ones are timeouts. Only a failure that took less than 30 seconds is repeated.',
  scale: 200,
  script: { model, steps: [{ status: 502, delayMs: 1_150, apply: true, times: 3 }] },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    const slowAfterMs = 150; // only here, at 1 : 200; the default is 30_000
    const aiFetch = createAiFetch({ idempotencyKey: true, slowAfterMs });
    const response = await aiFetch(chatUrl, { method: 'POST', body: question });
    show(response.ok ? (await response.json()).answer : explain(response));
  },
  outcome: { stop: 'slow-failure', requests: 1, modelCalls: 1 },
  compare: { requests: 3, modelCalls: 3 },
  lastsMs: 3_600,
};

export const fastFailure = {
  id: 'fast-502',
  title: 'Fast 502',
  hint: 'a hiccup, worth repeating',
  story:
    'A worker was being replaced: the front door answers 502 after a moment, and the model was never asked. The call ' +
    'is repeated after a short random wait.',
  lesson: 'The same status, another story: how long the failure took tells them apart.',
  script: { model, steps: [{ status: 502, delayMs: 150 }, answered] },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true });
    const response = await aiFetch(chatUrl, { method: 'POST', body: question });
    show(response.ok ? (await response.json()).answer : explain(response));
  },
  outcome: { stop: 'success', requests: 2, modelCalls: 1, oneKey: true },
  lastsMs: 900,
};

export const statedWait = {
  id: 'stated-wait',
  title: 'retry-after-ms',
  hint: '429 with a wait in milliseconds',
  story: 'The deployment is over its tokens per minute and says, to the millisecond, when it has room again.',
  lesson: 'retry-after-ms and x-ms-retry-after-ms are read before Retry-After, which knows whole seconds only.',
  script: { model, steps: [{ status: 429, headers: { 'retry-after-ms': 800, 'Retry-After': 1 }, delayMs: 150 }, answered] },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true });
    const response = await aiFetch(chatUrl, { method: 'POST', body: question });
    show(response.ok ? (await response.json()).answer : explain(response));
  },
  outcome: { stop: 'success', requests: 2, modelCalls: 1, oneKey: true },
  lastsMs: 1_300,
};

export const hiddenWait = {
  id: 'hidden-wait',
  title: 'Hidden Retry-After',
  hint: '429 from another origin',
  story:
    'The back end is on another origin and sends Retry-After: 1, but does not expose it: the browser hides the ' +
    'header from the page. aiFetch falls back on its own wait, at least a second after a 429, and tells you why.',
  lesson:
    'One line on the server gives it back: Access-Control-Expose-Headers: Retry-After, retry-after-ms, ' +
    'x-ms-retry-after-ms',
  elsewhere: true,
  script: { model, steps: [{ status: 429, headers: { 'Retry-After': 1 }, delayMs: 150 }, answered] },
  async call({ aiFetch, explain, chatUrl, question, show }) {
    const onRetry = ({ response }) => show(`Retry-After reads ${response.headers.get('Retry-After')}`);
    const response = await aiFetch(chatUrl, { method: 'POST', body: question, onRetry });
    show(response.ok ? (await response.json()).answer : explain(response));
  },
  outcome: { stop: 'success', requests: 2, modelCalls: 1 },
  lastsMs: 2_000,
};
