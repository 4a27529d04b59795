// The lab server's control routes, as far as the page needs them: script a scope, and read back what it saw.
// A scope is a small world of its own, so every run begins with fresh lists and an empty log.

const PAGE = crypto.randomUUID().slice(0, 8); // two tabs must not share a scope
let scopes = 0;

/** A fresh scope that behaves as the script says. */
export async function openScope(name, script) {
  const scope = `lab-${name}-${PAGE}-${(scopes += 1)}`;
  const { prefix, origins } = await control(scope, { method: 'PUT', body: JSON.stringify(script) });
  const elsewhere = origins.find((origin) => new URL(origin).port !== location.port);
  return {
    name: scope,
    /** Where its back ends are: on this origin, or on the server's other one. */
    address: (path, onOtherOrigin) => (onOtherOrigin ? elsewhere : '') + prefix + path,
    account: () => control(scope),
    settled: () => settled(scope),
  };
}

/**
 * The account once no request is open any more: a server learns a little later than the page that a client has left.
 * Asked at most a hundred times, so that a request that stays open is shown as such.
 */
async function settled(scope) {
  for (let asked = 1; ; asked += 1) {
    const account = await control(scope);
    if (account.inFlight === 0 || asked === 100) return account;
    await new Promise(requestAnimationFrame);
  }
}

async function control(scope, init) {
  const response = await fetch(`/control/${scope}`, init);
  if (!response.ok) throw new Error(`the lab server refused: ${await response.text()}`);
  return response.json();
}
