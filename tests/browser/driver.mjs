// Asks run.mjs, which drives the browser, for what a page cannot do itself. What may be asked for stands in
// driver_actions.mjs; the suites that do so are named in run.mjs for the browsers that cannot.

let count = 0;
let open; // the wish that is not answered yet

/** Resolves once it is done: `await driver('freeze', { ms: 1_500 })`. */
export function driver(action, options = {}) {
  if (!navigator.webdriver) throw new Error(`\`${action}\` needs the runner; opened by hand a page has none`);
  if (open) throw new Error(`\`${action}\` was asked for before \`${open.wish.action}\` was answered`);
  return new Promise((resolve, reject) => {
    const wish = { number: ++count, action, options };
    open = { wish, resolve, reject };
    window.report.wish = wish; // run.mjs looks here
  });
}

/** Called by run.mjs. */
window.answerWish = (number, failure) => {
  if (open?.wish.number !== number) return;
  const { resolve, reject } = open;
  window.report.wish = open = null;
  failure === null ? resolve() : reject(new Error(failure));
};
