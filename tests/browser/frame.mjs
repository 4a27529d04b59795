// Another window in the page, for one test.

import { afterwards } from './replace.mjs';

/** The window of a frame that has loaded this address. */
export async function frame(address) {
  const element = document.createElement('iframe');
  const loaded = new Promise((resolve) => (element.onload = resolve));
  element.src = address;
  document.body.append(element);
  afterwards(() => element.remove());
  await loaded;
  return element.contentWindow;
}
