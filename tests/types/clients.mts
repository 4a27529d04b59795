// The lines of the README with the types of the real libraries.

import { Anthropic } from '@anthropic-ai/sdk';
import { AnonymousAuthenticationProvider } from '@microsoft/kiota-abstractions';
import { FetchRequestAdapter, KiotaClientFactory, MiddlewareFactory, RetryHandler } from '@microsoft/kiota-http-fetchlibrary';
import { AuthenticationHandler, Client, TelemetryHandler } from '@microsoft/microsoft-graph-client';
import type { AuthenticationProvider } from '@microsoft/microsoft-graph-client';
import { AadHttpClient, HttpClient, SPHttpClient } from '@microsoft/sp-http-base';
import { createOpenAI } from '@ai-sdk/openai';
import { SPFx, spfi } from '@pnp/sp';
import type { ISPFXContext } from '@pnp/sp';
import '@pnp/sp/webs/index.js';
import { generateText } from 'ai';
import axios from 'axios';
import { OpenAI } from 'openai';
import { aiFetch, createAiFetch, createSpFetch, spFetch } from 'steadfetch';
import { SteadFetch } from 'steadfetch/pnpjs';
import { viaAadHttpClient, viaHttpClient, viaSPHttpClient } from 'steadfetch/spfx';

declare const context: ISPFXContext & { spHttpClient: SPHttpClient; httpClient: HttpClient };
declare const aadHttpClient: AadHttpClient;
declare const authProvider: AuthenticationProvider;

const sp = spfi().using(SPFx(context), SteadFetch());
export const title: Promise<string> = sp.web().then(({ Title }) => Title);
sp.web.using(SteadFetch({ maxRetries: 1 }));

export const read = createSpFetch({ fetch: viaSPHttpClient(context.spHttpClient, SPHttpClient.configurations.v1) });
export const ask = createAiFetch({ fetch: viaAadHttpClient(aadHttpClient, AadHttpClient.configurations.v1) });
export const other = createAiFetch({ fetch: viaHttpClient(context.httpClient, HttpClient.configurations.v1) });
// @ts-expect-error the configuration of another client
viaSPHttpClient(context.spHttpClient, HttpClient.configurations.v1);

export const graph = Client.initWithMiddleware({ middleware: [new AuthenticationHandler(authProvider), new TelemetryHandler(), { execute: async (context) => { context.response = await spFetch(context.request, context.options); } }] });
const http = KiotaClientFactory.create(spFetch, MiddlewareFactory.getDefaultMiddlewares(spFetch).filter((handler) => !(handler instanceof RetryHandler)));
export const kiota = new FetchRequestAdapter(new AnonymousAuthenticationProvider(), undefined, undefined, http);
export const rest = axios.create({ adapter: 'fetch', env: { fetch: spFetch } });
export const models = [new OpenAI({ fetch: aiFetch, maxRetries: 0 }), new Anthropic({ fetch: aiFetch, maxRetries: 0 })];
export const text = generateText({ model: createOpenAI({ fetch: aiFetch })('gpt-5'), prompt: 'Why?', maxRetries: 0 });
