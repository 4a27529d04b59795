/** What is used of `ApplicationInsights` of `@microsoft/applicationinsights-web`. */
export interface ApplicationInsightsLike {
  trackDependencyData(dependency: {
    id: string;
    name: string;
    target: string;
    type: string;
    startTime: Date;
    duration: number;
    success: boolean;
    responseCode: number;
    properties: Record<string, string>;
  }): void;
}

/**
 * Makes a dependency of every attempt of every call of this copy of the package, when the call has ended. Gives the function
 * that ends it. Name and data are `{method} {template}`, the target is the host's template; `success` is an answer below 400,
 * and the properties are `HttpMethod`, `resendCount`, `errorType` and `stop`.
 *
 * The SDK itself reports every `fetch` of the page with its full URL, unless it is told not to.
 *
 * @example
 * const appInsights = new ApplicationInsights({ config: { connectionString, disableFetchTracking: true } });
 * appInsights.loadAppInsights();
 * const end = trackWithApplicationInsights(appInsights);
 */
export function trackWithApplicationInsights(appInsights: ApplicationInsightsLike): () => void;
