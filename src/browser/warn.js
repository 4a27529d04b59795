// Warnings on the console: at most one of each a page, however many calls it concerns.

const said = new Set();

export function warn(text) {
  if (said.has(text)) return;
  said.add(text);
  try {
    console.warn(`steadfetch: ${text}`);
  } catch (_) {
    // A page whose console is broken or missing still gets its answers.
  }
}
