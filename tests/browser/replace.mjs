// Something else in the place of what belongs to the page, for the rest of one test.

const undo = [];

afterEach(() => {
  while (undo.length > 0) undo.pop()();
});

export function replace(owner, name, value) {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  undo.push(() => (before ? Object.defineProperty(owner, name, before) : delete owner[name]));
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}
