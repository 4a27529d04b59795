// A web part's code as SPFx compiles it: target es5, with libraries that know no AsyncIterable. Must compile, and must not
// where a line says so: what a missing library turns into `any` would take those lines without a word.

import { aiFetch, askAi, createAiFetch, createSpFetch, readAll, spFetch, streamAi, writeOnce } from 'steadfetch';
import type { AiResult, FetchLike } from 'steadfetch';
import { SteadFetch } from 'steadfetch/pnpjs';
import { viaSPHttpClient } from 'steadfetch/spfx';
import { measureWithUserTiming } from 'steadfetch/user-timing';

export async function shows(functionUrl: string, show: (text: string) => void): Promise<AiResult['outcome']> {
  const ask = createAiFetch({ idempotencyKey: true });
  const answer = streamAi(await ask(functionUrl, { method: 'POST', body: '{}' }));
  for await (const piece of answer) {
    show(piece.toUpperCase());
    // @ts-expect-error pieces are strings
    piece.toFixed();
  }
  // @ts-expect-error it is no list
  answer.map(show);
  // @ts-expect-error nor can it be read without waiting
  answer[Symbol.iterator]();
  return (await answer.result).outcome;
}

export const pieces: (response: Response) => AsyncIterable<string> = streamAi;
// @ts-expect-error pieces are strings
export const numbers: (response: Response) => AsyncIterable<number> = streamAi;

export const fetches: (typeof fetch)[] = [spFetch, aiFetch, createSpFetch({ timeout: Infinity }), createAiFetch()];
export const transport: FetchLike = fetch;
// @ts-expect-error an answer, not its text
export const text: Promise<string> = spFetch('/_api/web');

export async function mirrors(items: string): Promise<string[]> {
  const orders = await readAll<{ OrderKey: string }>(items, { runMs: 60_000 });
  const { status } = await writeOnce(items, { method: 'POST', find: () => orders[0] });
  const { message } = await askAi('/api/chat', { fallbacks: [{ source: 'plain', get: () => status }] });
  return [message, ...orders.map(({ OrderKey }) => OrderKey)];
}
// @ts-expect-error without `find` nobody can tell
void writeOnce('/items', { method: 'POST' });

interface Client { fetch(url: string, configuration: 1, options: RequestInit): Promise<Response> }
declare const spHttpClient: Client;
export const read: Promise<Response> = createSpFetch({ fetch: viaSPHttpClient(spHttpClient, 1) })('/_api/web');
// @ts-expect-error nothing that sends
SteadFetch()({});
// @ts-expect-error it takes no address
measureWithUserTiming('/_api/web');
