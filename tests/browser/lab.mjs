// The lab server that serves this page, see ../lab/scopes.mjs.

import { scopesAt } from '../lab/scopes.mjs';

/** The items of a list, and the address of a model. */
export const ITEMS = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
export const MODEL = '/api/ask';

export const lab = scopesAt(location.origin);
