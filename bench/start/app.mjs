// The application: its first request, as early as a script can send one. The page that waits for it has put `ended` here.

import { engine, spFetch } from 'steadfetch';

const answer = new Response('{}', { headers: { 'Content-Type': 'application/json' } });

let sent;
const transport = () => {
  sent = performance.now();
  return Promise.resolve(answer);
};

const called = performance.now();
spFetch('https://contoso.example/sites/a/items?$top=1', { fetch: transport }).then(
  ({ status }) => ended({ called, sent, ended: performance.now(), status, engine: engine(), steps: globalThis.steps }),
  (error) => ended({ failure: `${error}` }),
);
