// A second tab of the same origin, for one test. It has a window of its own, so that neither hides the other: a hidden
// tab's timers are late.

import { afterwards } from './replace.mjs';

export async function tab() {
  const other = open('/tests/browser/realm.html', '_blank', 'popup,width=400,height=300');
  if (!other) throw new Error('the browser lets this page open no window');
  afterwards(() => other.close());
  await new Promise((resolve) => {
    addEventListener('message', function heard({ source }) {
      if (source !== other) return;
      removeEventListener('message', heard);
      resolve();
    });
  });
  return other;
}
