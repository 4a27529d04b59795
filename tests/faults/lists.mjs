// Long lists, read page by page through a server that fails at random pages: each comes whole, or not at all. Run in Node
// and in both browsers.

const ITEMS = 5_000;
const PAGE = 250;

/** What any page may meet. The last three are never data, whatever their status says. */
const FAULTS = [
  { status: 429, headers: { 'retry-after-ms': 5 } },
  { status: 503, headers: { 'retry-after-ms': 5 } },
  { drop: 'rst-mid-headers' },
  { drop: 'rst-mid-body' },
  { status: 500 },
  { status: 504 },
  { status: 403 },
  { page: 'login' },
  { page: 'throttle' },
  { body: { value: [] }, status: 206 },
  { body: { value: [{ Id: 1 }], 'odata.error': { code: '-1' } } },
  { body: { Title: 'no list' } },
];

const DIALECTS = ['application/json;odata=nometadata', 'application/json;odata.metadata=none', 'application/json;odata=verbose'];

/** `share` of the pages fail; the first kinds heal when they are asked for again, the others do not. */
export const script = (seed, share) => ({
  lists: { Orders: ITEMS },
  random: { seed, share, match: { method: 'GET' }, faults: FAULTS.map((step) => ({ step })) },
  log: { limit: 50_000, bodyBytes: 0 },
});

/** Reads the list once, in one of the dialects; gives what is wrong with how that ended, and how it did. */
export async function read({ readAll, isSteadError }, scope, run) {
  const told = [];
  const init = {
    headers: { Accept: DIALECTS[run % DIALECTS.length] },
    coolDown: false,
    retryBudget: false,
    onPage: (progress) => told.push(progress),
  };
  const wrong = [];
  const check = (what, holds) => holds || wrong.push(`run ${run}: ${what}`);
  let end;
  try {
    const items = await readAll(scope.here(`/sites/a/_api/web/lists/getbytitle('Orders')/items?$top=${PAGE}&run=${run}`), init);
    end = 'complete';
    check(`${items.length} items`, items.length === ITEMS);
    check('another order', items.every(({ Id }, at) => Id === at + 1));
    check('the last progress is not the whole', told.length === ITEMS / PAGE && told[told.length - 1].items === ITEMS);
  } catch (error) {
    end = 'rejected';
    check(`rejected with ${error && error.name}: ${error && error.message}`, isSteadError(error, 'EPARTIALREAD'));
    const { pages = 0, items = 0 } = told[told.length - 1] || {};
    check('other counts than were told', error.pages === pages && error.items === items);
  }
  check('progress that is not monotone', told.every(({ pages, items }, at) => pages === at + 1 && items === (at + 1) * PAGE));
  return { wrong, end };
}
