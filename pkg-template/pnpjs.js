// PnPjs by spFetch's rules: a behaviour in the place of PnPjs's own sender, which repeats writes, too.

import { SteadError, createSpFetch } from './index.js';

/** PnPjs's level for details; it tells of a send at this level itself. */
const VERBOSE = 0;

export function SteadFetch(options) {
  const spFetch = createSpFetch(options);
  return (instance) => {
    if (!instance || !instance.on || !instance.on.send) throw new SteadError('EOPTION', '`SteadFetch()` must be given to `using` of PnPjs.');
    // PnPjs asks the first sender only. `replace` takes out those that SPFx() and others have put there.
    instance.on.send.replace(function (url, init) {
      this.log(`Fetch: ${init.method} ${url}`, VERBOSE);
      return spFetch(String(url), init);
    });
    return instance;
  };
}
