// A worker that makes one call of aiFetch and tells how it went.

import { aiFetch, getCallInfo } from '/pkg/index.mjs';

onmessage = async ({ data: [input, init] }) => {
  const response = await aiFetch(input, init);
  postMessage({ status: response.status, info: getCallInfo(response) });
};
