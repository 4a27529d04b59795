// Must compile, and must not where a line says so.

import { aiFetch, createAiFetch, createSpFetch, spFetch } from 'steadfetch';
import { askAi, readAiResult, streamAi } from 'steadfetch';
import { collapseDuplicates, readAll, writeOnce } from 'steadfetch';
import { engine, explain, getCallInfo, isSteadError, normalizeUrl, readRateLimit, readRetryAfter, ready } from 'steadfetch';
import type { AiAnswer, AiFailure, AiFetchInit, AiReadOptions, AiResult, Fallback, CallInfo, FetchLike, HeadersFactory, SpFetchInit, WriteOnceInit, WriteResult } from 'steadfetch';
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
    // @ts-expect-error anything may have been thrown
    if (error.code === 'ETIMEOUT') console.log();
    if (isSteadError(error, 'ETIMEOUT')) console.log(error.retryAfterMs, error.code);
    // @ts-expect-error no code of ours
    if (isSteadError(error, 'ETIMEDOUT')) console.log();
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

interface Order {
  Id: number;
  OrderKey: string;
}

export async function writes(items: string, key: string): Promise<Order | Response | unknown> {
  const init: WriteOnceInit<Order> = {
    method: 'POST',
    body: JSON.stringify({ OrderKey: key }),
    find: async (signal) => (await readAll<Order>(`${items}?$filter=OrderKey eq '${key}'`, { signal }))[0],
    maxSends: 3,
    settleMs: 5_000,
    lostAnswer: 'resend',
  };
  const result: WriteResult<Order> = await writeOnce(items, init);
  const gone = await writeOnce(`${items}(7)`, { method: 'DELETE', find: () => 'gone' });
  if (gone.status === 'already-applied') gone.found.toUpperCase();
  switch (result.status) {
    case 'already-applied':
      return result.found;
    case 'written':
    case 'rejected':
      return result.response;
    case 'unknown':
      return result.findError ?? result.cause;
    case 'not-applied':
      return result.cause;
  }
}

export async function mirrors(items: string): Promise<Order[]> {
  const onPage = (progress: { pages: number; items: number }) => console.log(progress.items);
  const all: Order[] = await readAll(items, { maxItems: 50_000, runMs: 60_000, onPage });
  const { items: kept, duplicates } = collapseDuplicates(all, (order) => order.OrderKey, 'last');
  return duplicates.length > 0 ? kept : all;
}

// @ts-expect-error without `find` nobody can tell
void writeOnce('/items', { method: 'POST' });
// @ts-expect-error a key is a string or a number
collapseDuplicates([{}], () => undefined);

// A call that takes `fetch` takes these, too.
export const transports: FetchLike[] = [spFetch, aiFetch, createSpFetch({ digest: async () => 'token' }), fetch];
export const fetches: (typeof fetch)[] = [spFetch, aiFetch, createSpFetch(), createAiFetch({ timeout: 60_000 })];
// @ts-expect-error gives no Response
export const list: typeof fetch = readAll;
// @ts-expect-error takes more than fetch gives
export const write: typeof fetch = writeOnce;
// @ts-expect-error an answer is not known to have an account
getCallInfo(new Response()).attempts;

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
