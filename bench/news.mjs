// What a page has to tell run.mjs, which waits for it: its end, or a wish that only the driver can fulfil.

export function tell(news) {
  globalThis.news = news;
  dispatchEvent(new Event('news'));
}

/** What this page holds after a full garbage collection, in bytes, as heap.mjs gives it. */
export function heap() {
  return new Promise((resolve) => {
    globalThis.answerWish = (answer) => {
      globalThis.news = undefined;
      resolve(answer);
    };
    tell({ wish: 'heap' });
  });
}
