// Runs in the page: begins the bench that the address names, and leaves its end where the driver looks. A module of the page
// itself: what Firefox's driver runs is in a sandbox, with another global object and wrappers around the page's own.

import { tell } from './news.mjs';

const name = new URLSearchParams(location.search).get('bench');

async function run() {
  if (!crossOriginIsolated) throw new Error('this page is not isolated, so its clock is coarse');
  const prepared = await (await fetch(`/target/bench/${name}.json`)).json();
  const { default: bench } = await import(`/bench/${name}/page.mjs`);
  return bench(prepared);
}

run().then(
  (data) => tell({ data }),
  (error) => tell({ failure: `${error}\n${error.stack}` }),
);
