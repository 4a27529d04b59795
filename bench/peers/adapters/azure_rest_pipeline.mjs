import { createDefaultHttpClient, createPipelineFromOptions, createPipelineRequest } from '@azure/core-rest-pipeline';

export const peer = { name: '@azure/core-rest-pipeline', gives: 'JSON', repeats: true };

export function make() {
  const pipeline = createPipelineFromOptions({});
  const client = createDefaultHttpClient();
  return async (url) => JSON.parse((await pipeline.sendRequest(client, createPipelineRequest({ url }))).bodyAsText);
}
