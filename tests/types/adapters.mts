// The entries for PnPjs and SPFx, with clients that have the shape of the real ones. Must compile, and must not where a
// line says so.

import { createAiFetch, createSpFetch } from 'steadfetch';
import type { FetchLike } from 'steadfetch';
import { SteadFetch } from 'steadfetch/pnpjs';
import { viaAadHttpClient, viaHttpClient, viaSPHttpClient } from 'steadfetch/spfx';

// ---- PnPjs: `using` takes functions of the instance, and `on` is what behaviours register with

declare class Timeline {
  get on(): { send: { (send: (url: URL, init: RequestInit) => Promise<Response>): Timeline; replace(send: (this: Timeline, url: URL, init: RequestInit) => Promise<Response>): Timeline } };
  using(...behaviors: ((instance: Timeline) => Timeline)[]): this;
}
declare const timeline: Timeline;

export const same: Timeline = timeline.using(SteadFetch(), SteadFetch({ timeout: 30_000, maxRetries: 1, onRetry: ({ delayMs }) => delayMs.toFixed() }));

// @ts-expect-error an option of aiFetch only
SteadFetch({ idempotencyKey: true });
// @ts-expect-error no member of a request
SteadFetch({ method: 'GET' });
// @ts-expect-error nothing that sends
SteadFetch()({});

// ---- SPFx: each client has a configuration of its own kind

declare class SPConfiguration { protected sp: string }
declare class AadConfiguration { protected aad: string }
interface ClientOptions extends RequestInit { webUrl?: string }
declare class ClientResponse implements Pick<Response, 'status' | 'headers'> { get status(): number; get headers(): Headers }
declare const spHttpClient: {
  fetch(url: string, configuration: SPConfiguration, options: ClientOptions): Promise<ClientResponse>;
  fetch<T>(url: string, configuration: SPConfiguration, options: ClientOptions, cache: { key: string }): Promise<T>;
};
declare const aadHttpClient: { fetch(url: string, configuration: AadConfiguration, options: RequestInit): Promise<ClientResponse> };
declare const sp: SPConfiguration, aad: AadConfiguration;

export const transports: FetchLike[] = [viaSPHttpClient(spHttpClient, sp), viaAadHttpClient(aadHttpClient, aad), viaHttpClient(aadHttpClient, aad)];
export const read: Promise<Response> = createSpFetch({ fetch: viaSPHttpClient(spHttpClient, sp) })('/_api/web');
export const ask: Promise<Response> = createAiFetch({ fetch: viaAadHttpClient(aadHttpClient, aad), idempotencyKey: true })('/api/chat', { method: 'POST' });

// @ts-expect-error the configuration of another client
viaSPHttpClient(spHttpClient, aad);
// @ts-expect-error a client needs its configuration
viaAadHttpClient(aadHttpClient);
// @ts-expect-error no client
viaHttpClient(fetch, sp);
// @ts-expect-error not the client, its fetch
createSpFetch({ fetch: spHttpClient });
