// Calls in the tools that pages use: the real packages, in a real browser. How spans look is proven in
// tests/node/opentelemetry.test.mjs; here is that they arrive, and what only a browser does.

import { expect } from '/node_modules/chai/index.js';
import { aiFetch, resetTelemetry, spFetch } from '/pkg/index.mjs';
import { trackWithApplicationInsights } from '/pkg/application-insights.mjs';
import { traceWithOpenTelemetry } from '/pkg/opentelemetry.mjs';
import { measureWithUserTiming } from '/pkg/user-timing.mjs';
import { ApplicationInsights } from '/target/browser-tests/application-insights.mjs';
import { InMemorySpanExporter, SimpleSpanProcessor, WebTracerProvider } from '/target/browser-tests/opentelemetry.mjs';
import { ITEMS, MODEL, lab } from './lab.mjs';
import { nextTask, until } from './next_task.mjs';
import { afterwards } from './replace.mjs';

const SOON = { 'retry-after-ms': 60 };
const REFUSED = { status: 503, headers: SOON };
const TEMPLATE = /\/_api\/web\/lists\/getbytitle\(\{s\}\)\/items$/;
const SECRET = '?$filter=Title eq \'secret-title\'';

beforeEach(resetTelemetry);

describe('OpenTelemetry', () => {
  it('exports a span an attempt, at the time of day and as long as it took', async () => {
    const exporter = new InMemorySpanExporter();
    afterwards(traceWithOpenTelemetry(new WebTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })));
    const server = await lab([REFUSED]);
    const began = Date.now();
    await spFetch(server.here(ITEMS + SECRET));
    const ended = Date.now();
    const spans = await until(() => exporter.getFinishedSpans().length === 2 && exporter.getFinishedSpans());
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).to.deep.equal([503, 200]);
    expect(spans.map(({ attributes }) => attributes['http.request.resend_count'])).to.deep.equal([undefined, 1]);
    expect(spans[0].name).to.match(TEMPLATE);
    const ms = ([seconds, nanos]) => seconds * 1000 + nanos / 1e6;
    expect(ms(spans[0].startTime)).to.be.within(began - 2, ended);
    expect(ms(spans[1].endTime)).to.be.within(began, ended + 2);
    expect(ms(spans[1].startTime) - ms(spans[0].endTime)).to.be.within(59, 2_000);
    expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.to.match(/secret|127\.0\.0\.1|localhost/);
  });
});

describe('Application Insights', () => {
  const CONFIG = {
    instrumentationKey: '00000000-0000-4000-8000-000000000000', disableFetchTracking: true, disableAjaxTracking: true,
    disableCookiesUsage: true, isStorageUseDisabled: true, enableSessionStorageBuffer: false,
  };

  /** What the SDK hands to the network, parsed. */
  async function insights() {
    const envelopes = [];
    const sendPOST = ({ data }, done) => {
      envelopes.push(...[JSON.parse(data)].flat());
      done(200, {}, '');
    };
    const sdk = new ApplicationInsights({ config: { ...CONFIG, extensionConfig: { AppInsightsChannelPlugin: { alwaysUseXhrOverride: true, httpXHROverride: { sendPOST } } } } });
    sdk.loadAppInsights();
    afterwards(() => sdk.unload(false));
    return { sdk, dependencies: () => envelopes.map(({ data }) => data).filter(({ baseType }) => baseType === 'RemoteDependencyData').map(({ baseData }) => baseData) };
  }

  it('sends a dependency an attempt, named by template and host template, with its outcome', async () => {
    const { sdk, dependencies } = await insights();
    afterwards(trackWithApplicationInsights(sdk));
    const server = await lab([REFUSED]);
    await aiFetch(server.here(`${MODEL}${SECRET}`), { method: 'POST', body: '{"secret":"secret-body"}' });
    const told = await until(() => {
      sdk.flush();
      return dependencies().length === 2 && dependencies();
    });
    const parts = told.map(({ name, data, target, success, resultCode, type, properties }) => ({ name, data, target, success, resultCode, type, resendCount: properties.resendCount, errorType: properties.errorType }));
    const common = { name: parts[0].name, data: parts[0].data, target: '{host}', type: 'Fetch' };
    expect(parts).to.deep.equal([
      { ...common, success: false, resultCode: '503', resendCount: '0', errorType: '503' },
      { ...common, success: true, resultCode: '200', resendCount: '1', errorType: '' },
    ]);
    expect(common.name).to.match(/^POST .*\/api\/ask$/);
    expect(common.data).to.equal(common.name);
    expect(told[1].duration).to.match(/^00:00:0\d\.\d{3}$/);
    expect(JSON.stringify(told)).not.to.match(/secret|127\.0\.0\.1|localhost/);
  });

  it('keeps the host template as the target, although the SDK takes it for an address', async () => {
    const { sdk, dependencies } = await insights();
    afterwards(trackWithApplicationInsights(sdk));
    const fetch = async () => new Response('{}');
    await spFetch('https://contoso.sharepoint.com/_api/web', { fetch });
    await aiFetch('https://contoso.azurewebsites.net/api/ask', { fetch });
    await until(() => {
      sdk.flush();
      return dependencies().length === 2;
    });
    expect(dependencies().map(({ target }) => target)).to.deep.equal(['{tenant}.sharepoint.com', '{app}.azurewebsites.net']);
  });
});

describe('User Timing', () => {
  /** What observers of the page are told. */
  function observed() {
    const entries = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type: 'measure' });
    afterwards(() => observer.disconnect());
    return entries;
  }

  it('measures each attempt and each wait, one after the other, at the time they happened', async () => {
    afterwards(measureWithUserTiming());
    const entries = observed();
    const server = await lab([{ ...REFUSED, delayMs: 30 }]);
    const began = performance.now();
    await spFetch(server.here(ITEMS + SECRET));
    const ended = performance.now();
    await until(() => entries.length === 3);
    const [first, wait, second] = entries;
    expect(first.name).to.match(/^steadfetch GET \//).and.match(TEMPLATE);
    expect(wait.name).to.equal(first.name.replace('steadfetch', 'steadfetch wait'));
    expect(second.name).to.equal(first.name);
    expect(first.startTime).to.be.within(began - 2, ended);
    expect(first.duration).to.be.at.least(29);
    expect(wait.startTime).to.be.closeTo(first.startTime + first.duration, 1);
    expect(wait.duration).to.be.within(59, 2_000);
    expect(second.startTime).to.be.closeTo(wait.startTime + wait.duration, 1);
    expect(second.startTime + second.duration).to.be.at.most(ended + 2);
    expect(first.detail.devtools).to.deep.include({ track: 'steadfetch', color: 'error' });
    expect(JSON.stringify(entries.map(({ name, detail }) => [name, detail]))).not.to.match(/secret|127\.0\.0\.1|localhost/);
  });

  it('shows a wait at a gate before the first send', async () => {
    afterwards(measureWithUserTiming());
    const server = await lab([{ status: 429, headers: { 'retry-after-ms': 80 } }]);
    await spFetch(server.here(ITEMS), { maxRetries: 0 });
    await nextTask();
    const entries = observed();
    await spFetch(server.here(ITEMS));
    await until(() => entries.length === 2);
    expect(entries.map(({ name }) => name.startsWith('steadfetch wait'))).to.deep.equal([true, false]);
  });

  it('leaves nothing in the page\'s buffer, and the page\'s own entries alone', async () => {
    afterwards(measureWithUserTiming());
    afterwards(() => performance.clearMeasures('mine'));
    performance.measure('mine', { start: 0, end: 1 });
    const entries = observed();
    const server = await lab();
    for (let n = 0; n < 5; n++) await spFetch(server.here(ITEMS));
    await until(() => entries.length === 5);
    expect(performance.getEntriesByType('measure').map(({ name }) => name)).to.deep.equal(['mine']);
  });

  it('does nothing where there is no User Timing, or an old one', async () => {
    const { measure } = performance;
    afterwards(() => (performance.measure = measure));
    afterwards(measureWithUserTiming());
    const server = await lab();
    for (const old of [undefined, () => { throw new SyntaxError('a mark'); }]) {
      performance.measure = old;
      expect((await spFetch(server.here(ITEMS))).status).to.equal(200);
      await nextTask();
    }
  });
});
