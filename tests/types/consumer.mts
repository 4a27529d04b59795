// Must compile, and must not where a line says so.

import { aiFetch, createAiFetch, createSpFetch, spFetch } from 'steadfetch';
import { askAi, readAiResult, streamAi } from 'steadfetch';
import { engine, explain, getCallInfo, isSteadError, normalizeUrl, readRateLimit, readRetryAfter, ready } from 'steadfetch';
import type { AiAnswer, AiFailure, AiFetchInit, AiReadOptions, AiResult, Fallback, CallInfo, FetchLike, HeadersFactory, SpFetchInit } from 'steadfetch';
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

export async function reads_answers(response: Response, signal: AbortSignal): Promise<string> {
  const options: AiReadOptions = { signal, idleMs: 30_000, read: (body) => (typeof body === 'string' ? { text: body } : undefined) };
  const whole: AiResult = await readAiResult(response, options);
  const answer = streamAi(response);
  let text = whole.text ?? '';
  for await (const piece of answer) text += piece.trim();
  const { outcome, usage }: AiResult = await answer.result;
  return [text, outcome, usage?.outputTokens].join();
}

export async function asks_with_fallbacks(question: string): Promise<string> {
  const cache: Fallback = { source: 'cache', get: (why: AiFailure) => (why.reason === 'deadline' ? undefined : question) };
  const plain: Fallback = { source: 'plain', on: ['refused'], get: async (_, signal) => (signal.aborted ? null : question) };
  const init = { method: 'POST', body: question, onText: (delta: string) => console.log(delta) };
  const answer: AiAnswer = await askAi('/api/chat', { ...init, fallbacks: [cache, plain], fallbackMs: 5_000, idempotencyKey: true });
  return answer.text ?? answer.message;
}

// A call that takes `fetch` takes these, too.
export const transports: FetchLike[] = [spFetch, aiFetch, createSpFetch({ digest: async () => 'token' }), fetch];

export const engines: ('wasm' | 'js' | 'none')[] = [await ready()];
export const endMeasuring: () => void = measureWithUserTiming();
export const now: 'wasm' | 'js' | 'none' | 'not-loaded' = engine();

export const templates: string[] = [normalizeUrl('/_api'), normalizeUrl(new URL('/_api', 'https://x.de'), { query: 'names', sites: 'keep' })];

// @ts-expect-error not a way to tell the query
normalizeUrl('/_api', { query: 'values' });
// @ts-expect-error no source of an answer
void askAi('/api/chat', { fallbacks: [{ source: 'magic', get: () => '' }] });
// @ts-expect-error pieces are strings
for await (const piece of streamAi(new Response())) piece.toFixed();
// @ts-expect-error an option of aiFetch only
void spFetch('/_api/web', { idempotencyKey: true });
// @ts-expect-error the transport is a function
void aiFetch('/api/chat', { fetch: 'fetch' });
