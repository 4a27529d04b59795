import { SPBrowser, spfi } from '@pnp/sp';
import '@pnp/sp/items/list.js';
import '@pnp/sp/lists/web.js';
import '@pnp/sp/webs/index.js';

export const peer = { name: '@pnp/sp', gives: 'JSON', repeats: true, fails: 503 };

export function make() {
  const sp = spfi('https://contoso.example/sites/a').using(SPBrowser());
  return () => sp.web.lists.getByTitle('Orders').items();
}
