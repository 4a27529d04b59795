// What comes of an answer after the headers: a 200 is not yet a success, and no answer of the model is not yet the end.

const event = (text) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;
const LAST = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const words = (text) => text.split(/(?<= )/).map(event);

const streamed = (chunks) => ({ headers: { 'Content-Type': 'text/event-stream' }, chunks, chunkEveryMs: 120, delayMs: 150, apply: true });

export const cutAnswer = {
  id: 'cut-answer',
  title: 'Answer cut halfway',
  hint: 'half a sentence, status 200',
  story:
    'A proxy ends the stream in an orderly manner after half a sentence, as they do at their time limits. Status 200, no ' +
    'error, no exception: only the sign that every provider puts behind its last word is missing.',
  lesson:
    'A loop over `streamAi` ends normally, and `result` says what kind of end it was: only `complete` is the whole answer. ' +
    'After the first text it never asks again by itself.',
  script: { steps: [streamed(words('Your order arrives on Thursday, unless you have chosen to '))] },
  async call({ createAiFetch, streamAi, chatUrl, question, write, show }) {
    const aiFetch = createAiFetch({ idempotencyKey: true });
    const answer = streamAi(await aiFetch(chatUrl, { method: 'POST', body: question }));
    for await (const text of answer) write(text); // each as it comes
    const { outcome } = await answer.result;
    if (outcome === 'complete') show('(The answer is complete.)');
    else show('(The answer broke off here. Ask again?)');
  },
  streams: true,
  outcome: { stop: 'success', requests: 1, modelCalls: 1, result: 'incomplete_stream', says: '(The answer broke off here. Ask again?)' },
  compare: { requests: 1, modelCalls: 1, says: '(The answer is complete.)' },
  lastsMs: 1_700,
};

export const modelDown = {
  id: 'model-down',
  title: 'Model down',
  hint: 'the page still answers',
  story:
    'The model’s back end answers 503, again and again. `askAi` repeats once, since that was fast, and then goes to its ' +
    'fallbacks in their order. The first is another model, and its words stream into the page.',
  lesson:
    'The label travels with the text: `source` says whose words these are, `message` says it in a sentence for the person. ' +
    'Refusals and answers that were cut short go only to fallbacks that ask for them.',
  script: {
    rules: [{ match: { path: 'backup' }, steps: [streamed([...words('Your order arrives on Thursday.'), LAST])] }],
    steps: [{ status: 503, headers: { 'retry-after-ms': 300 }, delayMs: 120, times: 2 }],
  },
  async call({ askAi, chatUrl, backupUrl, question, write, show }) {
    const ask = { method: 'POST', body: question };
    const backup = async (why, signal) => {
      const { text } = await askAi(backupUrl, { ...ask, signal, onText: write });
      return text;
    };
    const { source, message } = await askAi(chatUrl, {
      ...ask,
      maxRetries: 1,
      onText: write, // each piece as it comes
      fallbacks: [
        { source: 'backup-model', get: backup },
        { source: 'plain', get: () => 'Your order was confirmed on Tuesday.' },
      ],
    });
    show(`(${source}: ${message})`);
  },
  outcome: { stop: 'no-retries-left', others: ['success'], requests: 3, modelCalls: 1, source: 'backup-model' },
  lastsMs: 1_900,
};
