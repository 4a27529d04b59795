// Must compile, and must not where a line says so.

import { aiFetch, createAiFetch, createSpFetch, spFetch } from 'steadfetch';
import { engine, explain, getCallInfo, isSteadError, normalizeUrl, readRateLimit, readRetryAfter, ready } from 'steadfetch';
import type { AiFetchInit, CallInfo, FetchLike, HeadersFactory, SpFetchInit } from 'steadfetch';
import { measureWithUserTiming } from 'steadfetch/user-timing';

export async function reads(site: string, controller: AbortController): Promise<string> {
  const headers = { Accept: 'application/json' };
  const init: SpFetchInit = { headers, signal: controller.signal, timeout: { totalMs: 60_000 }, maxRetries: 2 };
  const response: Response = await spFetch(`${site}/_api/web/lists`, init);
  const info: CallInfo | undefined = getCallInfo(response);
  const attempts: number = info ? info.attempts.length : 0;
  const wait: number | null = readRetryAfter(response);
  const remaining: number | null | undefined = readRateLimit(response.headers)?.remaining;
  return [attempts, wait, remaining, explain(response), await response.text()].join();
}

export async function asks(question: string): Promise<Response> {
  const headers: HeadersFactory = async ({ attempt }) => ({ 'x-attempt': String(attempt) });
  const init: AiFetchInit = { method: 'POST', body: JSON.stringify({ question }), headers };
  try {
    return await createAiFetch({ idempotencyKey: true })('/api/chat', init);
  } catch (error) {
    if (isSteadError(error, 'ETIMEOUT')) console.log(error.retryAfterMs, error.code);
    throw error;
  }
}

// A call that takes `fetch` takes these, too.
export const transports: FetchLike[] = [spFetch, aiFetch, createSpFetch({ digest: async () => 'token' }), fetch];

export const engines: ('wasm' | 'js' | 'none')[] = [await ready()];
export const endMeasuring: () => void = measureWithUserTiming();
export const now: 'wasm' | 'js' | 'none' | 'not-loaded' = engine();

export const templates: string[] = [normalizeUrl('/_api'), normalizeUrl(new URL('/_api', 'https://x.de'), { query: 'names', sites: 'keep' })];

// @ts-expect-error not a way to tell the query
normalizeUrl('/_api', { query: 'values' });
// @ts-expect-error an option of aiFetch only
void spFetch('/_api/web', { idempotencyKey: true });
// @ts-expect-error the transport is a function
void aiFetch('/api/chat', { fetch: 'fetch' });
