// Calls that take their time: one key for all attempts, and limits that also end a body.

const answer = { answer: 'Your order arrives on Thursday.' };

export const oneKey = {
  id: 'one-key',
  title: 'One idempotency key',
  hint: '502, 409, then the answer',
  story:
    'The answer to the first attempt is lost in a fast 502, but the model is at work. The repeat carries the same ' +
    'idempotency key, so the back end knows it and answers 409: the first is still running. It is asked again, ' +
    'politely, until the first one’s answer is there.',
  lesson:
    'One key per call, the same on every attempt: the model is asked once. On another origin the key costs a CORS ' +
    'preflight: allow it there with Access-Control-Allow-Headers: Idempotency-Key',
  script: {
    model: { answer, workMs: 1_600, idempotency: true },
    steps: [{ status: 502, delayMs: 150, apply: true }],
  },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true });
    const response = await aiFetch(chatUrl, { method: 'POST', body: question });
    show(response.ok ? (await response.json()).answer : explain(response));
  },
  outcome: { stop: 'success', requests: 3, modelCalls: 1, oneKey: true },
  lastsMs: 2_900,
};

export const deadline = {
  id: 'deadline',
  title: 'Deadline',
  hint: 'no answer in time',
  story:
    'The caller gives the whole call a second and a half; the model needs longer. The call ends on time with ' +
    'ETIMEOUT, and is not repeated: the model was asked, and is billed.',
  lesson: '`timeout` is the whole operation, waits included. A timeout of an AI call is final.',
  script: { steps: [{ stall: 'before-headers', apply: true }] },
  async call({ createAiFetch, explain, chatUrl, question, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true, timeout: 1_500 });
    try {
      await aiFetch(chatUrl, { method: 'POST', body: question });
    } catch (error) {
      show(explain(error));
    }
  },
  outcome: { stop: 'timeout', requests: 1, modelCalls: 1 },
  lastsMs: 1_700,
};

const WORDS = 'The order was placed on Monday, confirmed on Tuesday, and it will be delivered on';

export const stream = {
  id: 'stream',
  title: 'Stream cut off',
  hint: 'a deadline that covers the body',
  story:
    'The headers come at once, the words trickle. A timeout that you set yourself also covers the body: reading ends ' +
    'with ETIMEOUT, and the server sees that nobody listens any more. What was read so far is yours.',
  lesson: 'The default timeouts never cut a body. One that you set does, so no stream can hang for ever.',
  script: {
    steps: [{ chunks: WORDS.split(/(?<= )/), chunkEveryMs: 150, stall: 'mid-body', apply: true }],
  },
  async call({ createAiFetch, explain, chatUrl, question, words, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true, timeout: 1_500 });
    const response = await aiFetch(chatUrl, { method: 'POST', body: question });
    try {
      await response.body.pipeThrough(new TextDecoderStream()).pipeTo(words); // shows each as it comes
    } catch (error) {
      show(explain(error)); // isSteadError(error, 'ETIMEOUT')
    }
  },
  streams: true,
  outcome: { stop: 'success', requests: 1, modelCalls: 1, reading: 'ETIMEOUT', clientLeft: true },
  lastsMs: 1_700,
};
