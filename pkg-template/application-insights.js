// Calls as dependencies of Application Insights, one for each attempt: named by the template, never by the URL.

import { onAttempts, wrong } from './attempts.js';

export function trackWithApplicationInsights(appInsights) {
  if (!appInsights || typeof appInsights.trackDependencyData !== 'function') throw wrong('appInsights', 'an ApplicationInsights');
  let count = 0;
  return onAttempts(({ info, host, startedAt, elapsedMs, status, errorType, repeats }) => {
    return appInsights.trackDependencyData({
      id: `steadfetch-${++count}`,
      name: `${info.method} ${info.endpoint}`,
      // The SDK keeps the host of what it takes for an address. Without a scheme that would be the page's own.
      target: host ? `https://${host}` : '',
      type: 'Fetch',
      startTime: new Date(startedAt),
      duration: elapsedMs,
      success: !errorType,
      responseCode: status === null ? 0 : status,
      properties: { HttpMethod: info.method, resendCount: String(repeats), errorType: errorType || '', stop: info.stop },
    });
  });
}
