// A worker that makes one call of aiFetch, reads the answer and tells how it went.

import { aiFetch, getCallInfo, streamAi } from '/pkg/index.mjs';
import { listen } from './chat.mjs';

onmessage = async ({ data: [input, init] }) => {
  const response = await aiFetch(input, init);
  const answer = streamAi(response);
  const { pieces } = await listen(answer);
  postMessage({ status: response.status, info: getCallInfo(response), pieces, result: await answer.result });
};
