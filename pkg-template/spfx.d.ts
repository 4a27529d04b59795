import type { FetchLike } from './index.js';

/** What is used of SPFx's clients. */
export interface SpfxClient<Configuration> {
  readonly fetch: (url: string, configuration: Configuration, options: RequestInit) => Promise<SpfxResponse>;
}

/** What is used of a client's answer, which comes back as it is: with `correlationId` and all. */
export interface SpfxResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/**
 * `SPHttpClient` as a transport. It adds its headers and, to a write, the digest from its own cache, so do not give the
 * option `digest`. After a 401 it may renew the session and send once more; spFetch sees the last answer.
 *
 * The signal goes out with the request and ends it. The client's own request for a digest cannot be aborted: the call rejects
 * at once nevertheless, and the write is not sent afterwards. A `Request` in place of an address will do.
 *
 * @param configuration Usually `SPHttpClient.configurations.v1`.
 *
 * @example
 * const spFetch = createSpFetch({ fetch: viaSPHttpClient(this.context.spHttpClient, SPHttpClient.configurations.v1) });
 * const response = await spFetch(`${webUrl}/_api/web/lists`);
 */
export function viaSPHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;

/**
 * `AadHttpClient` as a transport, for an API of your own or Microsoft Graph. It adds the token, and asks for it before each send,
 * so that it is fresh after a wait.
 *
 * After a 403 it gets a new token and sends once more by itself, **a POST, too**, and no option of it or of ours prevents that.
 * For an API of your own, answer 403 only when nothing was done. Tokens cannot be aborted: the call rejects at
 * once nevertheless, and nothing is sent afterwards.
 *
 * @param configuration Usually `AadHttpClient.configurations.v1`.
 *
 * @example
 * const client = await this.context.aadHttpClientFactory.getClient(apiId);
 * const ask = createAiFetch({ fetch: viaAadHttpClient(client, AadHttpClient.configurations.v1) });
 */
export function viaAadHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;

/**
 * `HttpClient` as a transport. It adds nothing of its own but what SPFx counts; the page's own `fetch`, which is the default
 * transport, will do as well.
 *
 * @param configuration Usually `HttpClient.configurations.v1`.
 *
 * @example
 * const ask = createAiFetch({ fetch: viaHttpClient(this.context.httpClient, HttpClient.configurations.v1) });
 * const response = await ask(functionUrl, { method: 'POST', body });
 */
export function viaHttpClient<Configuration>(client: SpfxClient<Configuration>, configuration: Configuration): FetchLike;
