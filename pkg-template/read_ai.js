// `readAiResult` and `streamAi`: an answer that somebody has fetched, read to its end or piece by piece.

import { openAnswer } from './answer_reading.js';
import { checkReading } from './read_options.js';
import { answerRead } from './snippets/bodies.js';

export async function readAiResult(response, options) {
  const answer = openAnswer(response, checkReading(options));
  while ((await answer.next(false)) !== undefined);
  answerRead(response, answer);
  return answer.result;
}

export function streamAi(response, options) {
  let answer;
  let settle;
  const result = new Promise((resolve, reject) => (settle = { resolve, reject }));
  // Whoever only loops hears of it there.
  result.catch(() => {});
  try {
    answer = openAnswer(response, checkReading(options));
  } catch (error) {
    settle.reject(error);
    answer = { next: () => Promise.reject(error), cancel() {} };
  }

  let told = false;
  const step = async () => {
    try {
      return await answer.next();
    } catch (error) {
      if (!answer.result) settle.reject(error);
      throw error;
    } finally {
      if (answer.result && !told) {
        told = true;
        answerRead(response, answer);
        settle.resolve(answer.result);
      }
    }
  };
  // One piece after the other, whoever asks: the loop, or `result`, which reads ahead for a loop that may come yet.
  let last = Promise.resolve();
  const pull = () => (last = last.then(step, step));
  const ahead = [];
  let reading;
  const readAhead = async () => {
    for (let text = ''; text !== undefined; ) {
      const piece = pull();
      ahead.push(piece);
      text = await piece;
    }
  };
  const end = async (value) => {
    answer.cancel();
    ahead.length = 0;
    // The reader lets go of its memory.
    await pull().catch(() => {});
    return { done: true, value };
  };

  const iterator = {
    async next() {
      const text = await (ahead.length > 0 ? ahead.shift() : pull());
      return { done: text === undefined, value: text };
    },
    return: end,
    async throw(error) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return {
    [Symbol.asyncIterator]: () => iterator,
    get result() {
      reading = reading || readAhead().catch(() => {});
      return result;
    },
  };
}
