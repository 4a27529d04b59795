// What one test changes about the page, and takes back at its end.

const undo = [];

afterEach(() => {
  while (undo.length > 0) undo.pop()();
});

export function afterwards(act) {
  undo.push(act);
}

/** Something else in the place of a member, for the rest of the test. */
export function replace(owner, name, value) {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  afterwards(() => (before ? Object.defineProperty(owner, name, before) : delete owner[name]));
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}
