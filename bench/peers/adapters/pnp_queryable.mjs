// PnPjs without its SharePoint part.

import { BrowserFetchWithRetry, DefaultParse, Queryable, RejectOnError, ResolveOnData } from '@pnp/queryable';

export const peer = { name: '@pnp/queryable', gives: 'JSON', repeats: true, fails: 503 };

export const make = () => (url) => {
  const query = new Queryable(url).using(BrowserFetchWithRetry(), DefaultParse(), RejectOnError(), ResolveOnData());
  return query();
};
