// How a page reads such a stream without us: eventsource-parser, `JSON.parse` of each event, the text put together.

/** Gives the text. */
export async function peer(createParser, response) {
  let text = '';
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return;
      text += JSON.parse(data).choices[0].delta.content ?? '';
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
