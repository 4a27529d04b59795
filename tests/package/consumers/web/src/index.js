// The application that every bundler gets. The page's address says where to send the two calls; `window.outcome` tells what
// became of them.

import { aiFetch, engine, getCallInfo, ready, spFetch } from 'steadfetch';

const addresses = new URLSearchParams(location.search);

async function calls() {
  const read = await spFetch(addresses.get('read'));
  const asked = await aiFetch(addresses.get('ask'), { method: 'POST', body: '{}' });
  const info = getCallInfo(read);
  await ready(); // whatever was still being loaded has come, or failed
  return { engine: engine(), statuses: [read.status, asked.status], attempts: info ? info.attempts.length : 0 };
}

calls().then(
  (outcome) => (window.outcome = outcome),
  (error) => (window.outcome = { error: String(error) }),
);
