// Runs the suites named in the address (`?suites=smoke,abort`) and collects what run.mjs prints. Opened by hand, the
// page shows the results itself. After each test it looks through everything that the package has told (emitted.mjs).

const report = { tests: [], errors: [], notes: [], running: '', wish: null, done: false };
window.report = report;

// Whatever reaches the console or escapes from a callback is part of the result.
const { error } = console;
console.error = (...args) => {
  report.errors.push(args.map(String).join(' '));
  error.apply(console, args);
};
window.addEventListener('error', (event) => report.errors.push(`uncaught: ${event.message}`));
window.addEventListener('unhandledrejection', (event) => report.errors.push(`unhandled: ${event.reason}`));

mocha.setup({ ui: 'bdd', timeout: 60_000 });
try {
  const { heard, leaks, listen } = await import('./emitted.mjs');
  const { resetPageState, resetTelemetry } = await listen();
  const suites = new URLSearchParams(location.search).get('suites') || '';
  for (const suite of suites.split(',').filter(Boolean)) await import(`./${suite}.test.mjs`);
  // Registered last, so that it comes after the page has its clocks and globals back.
  afterEach(function () {
    const found = leaks();
    if (found.length > 0) report.tests.push({ title: `${this.currentTest.fullTitle()}: TOLD A SECRET`, failure: found.join('\n') });
    resetPageState();
    resetTelemetry();
  });
  mocha
    .run()
    .on('test', (test) => (report.running = test.fullTitle()))
    .on('pass', (test) => report.tests.push({ title: test.fullTitle(), ms: test.duration }))
    .on('fail', (test, failure) => report.tests.push({ title: test.fullTitle(), failure: told(failure) }))
    .on('pending', (test) => report.tests.push({ title: test.fullTitle(), failure: 'was skipped' }))
    .on('end', () => {
      report.notes.push(`looked through, in characters: ${JSON.stringify(heard)}`);
      report.done = true;
    });
} catch (failure) {
  report.tests.push({ title: 'loading the suites', failure: told(failure) });
  report.done = true;
}

/** A stack begins with the message in Chromium, but not in Firefox. */
function told(failure) {
  const { stack = '' } = failure;
  return stack.includes(failure.message) ? stack : `${failure}\n${stack}`;
}
