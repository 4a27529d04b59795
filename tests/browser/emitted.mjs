// Everything that the package tells while the suites run (events, snapshots, spans, dependencies, errors, the console), and
// the words that must be in none of it. The words stand in every address that `lab.mjs` makes, and where suites put more.

import { afterwards } from './replace.mjs';

/** Names, secrets, and whose server it is. */
export const PLANTED = ['anna.mueller', 'geheim', location.host];
/** In the name of a scope, hence in the path; and in the query. */
export const IN_PATH = 'anna.mueller';
export const IN_QUERY = 'user=anna.mueller%40contoso.com&code=geheim-code';

const KINDS = ['event', 'snapshot', 'span', 'dependency', 'error', 'console'];
/** What was said since the last look, by kind; and how many characters in all. */
const said = new Map(KINDS.map((kind) => [kind, []]));
export const heard = Object.fromEntries(KINDS.map((kind) => [kind, 0]));

function say(kind, text) {
  said.get(kind).push(text);
  heard[kind] += text.length;
}

// ---- the console

/** Lines of a stack, in both browsers' forms: they name the suites' own files. */
const FRAMES = /^\s*at .*$|^.*@https?:.*$/gm;

for (const name of ['debug', 'info', 'log', 'warn', 'error']) {
  const print = console[name];
  console[name] = (...args) => {
    say('console', args.map(String).join(' ').replace(FRAMES, ''));
    print.apply(console, args);
  };
}

// ---- errors: made by classes that extend the page's own, which is looked up when the package is loaded

const made = [];
globalThis.Error = new Proxy(Error, {
  construct(target, args, newTarget) {
    const error = Reflect.construct(target, args, newTarget);
    if (newTarget.name === 'SteadError') made.push(error);
    return error;
  },
});

/** Complete only now: a class adds its members after the error is made. The stack names the suites' own files. */
function tellErrors() {
  for (const error of made.splice(0)) say('error', `${error} ${JSON.stringify(error)}`);
}

// ---- events, and what becomes of them in tools

const watched = new Set();

/** Listens to a copy of the package. The tools' entries belong to the page's first copy. */
export function watch(copy) {
  watched.add(copy);
  copy.subscribe((event) => say('event', JSON.stringify(event)));
  return copy;
}

/** For one test, too: a copy that is gone with its window must not be asked. */
export function watchForNow(copy) {
  watch(copy);
  afterwards(() => watched.delete(copy));
  return copy;
}

const spanContext = () => ({ traceId: '', spanId: '', traceFlags: 0 });

/** Begins, with the page's first copy. */
export async function listen() {
  const { traceWithOpenTelemetry } = await import('/pkg/opentelemetry.mjs');
  const { trackWithApplicationInsights } = await import('/pkg/application-insights.mjs');
  traceWithOpenTelemetry({
    startSpan(name, options) {
      say('span', JSON.stringify([name, options]));
      return { setStatus: (status) => say('span', JSON.stringify(status)), end() {}, spanContext };
    },
  });
  trackWithApplicationInsights({ trackDependencyData: (dependency) => say('dependency', JSON.stringify(dependency)) });
  return watch(await import('/pkg/index.mjs'));
}

/** Where a planted word was said since the last look: `"geheim" in an event: {"type":…`. */
export function leaks() {
  for (const copy of watched) say('snapshot', JSON.stringify(copy.telemetry()));
  tellErrors();
  const found = [];
  for (const [kind, texts] of said) {
    for (const text of texts.splice(0)) {
      const lower = text.toLowerCase();
      for (const word of PLANTED) if (lower.includes(word)) found.push(`"${word}" in ${kind}: ${text.slice(0, 500)}`);
    }
  }
  return found;
}
