// The lab server that serves this page, see ../lab/scopes.mjs.

import { scopesAt } from '../lab/scopes.mjs';
import { IN_PATH, IN_QUERY } from './emitted.mjs';

/** The items of a list, and the address of a model. */
export const ITEMS = "/sites/a/_api/web/lists/getbytitle('Orders')/items";
export const MODEL = '/api/ask';

export const lab = scopesAt(location.origin, { inPath: `${IN_PATH}-`, inQuery: IN_QUERY });
