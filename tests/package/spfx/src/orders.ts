/** As much of `fetch` as is needed here: `spFetch`, `aiFetch`, a client of SPFx by its adapter, or `fetch` itself. */
export type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** The titles of a list's items. */
export async function titlesOf(send: Send, listUrl: string): Promise<string[]> {
  const response = await send(listUrl, { headers: { Accept: 'application/json;odata=nometadata' } });
  if (!response.ok) throw new Error(`The list answered ${response.status}.`);
  const { value } = await response.json();
  return value.map(({ Title }: { Title: string }) => Title);
}

/** What a model says about them, through a back end that answers `{ "answer": "…" }`. */
export async function summaryOf(send: Send, modelUrl: string, titles: string[]): Promise<string> {
  const response = await send(modelUrl, { method: 'POST', body: JSON.stringify({ titles }) });
  if (!response.ok) throw new Error(`The model answered ${response.status}.`);
  return (await response.json()).answer;
}
