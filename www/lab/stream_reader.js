// What the lab compares streamAi with: the reader found in many a web part, and no straw man. It waits for whole lines and
// decodes what is cut inside a character. Like vendors' own stream classes, it takes the end of the body for the end of
// the answer.

export function streamReader(response) {
  let settle;
  const result = new Promise((resolve) => (settle = resolve));
  async function* pieces() {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return settle({ outcome: 'complete' }); // there is no more, so that must be all
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((line) => line.startsWith('data: {'))) {
        yield JSON.parse(line.slice(6)).choices[0].delta.content ?? '';
      }
    }
  }
  return { [Symbol.asyncIterator]: pieces, result };
}
