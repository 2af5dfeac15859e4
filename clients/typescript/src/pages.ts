/** The part of a list's answer that leads to the next one. */
export interface Page {
  data: { items: unknown[]; pagination: { next_cursor: string | null } };
}

/** The pages of a list, one after the other until its cursor is null; `ask` gets the parameters of the next one. */
export async function* pagesOf(
  query: Record<string, unknown>,
  ask: (query: Record<string, unknown>) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let asked = query;
  for (;;) {
    const page = await ask(asked);
    yield page;
    const { next_cursor } = page.data.pagination;
    if (next_cursor === null) return;
    asked = { ...query, cursor: next_cursor };
  }
}

/** The rows of pages, at most `max`; a page is not asked for when the row before it was the last one wanted. */
export async function* rowsOf<T>(pages: AsyncIterable<Page>, max: number): AsyncGenerator<T, void, undefined> {
  let given = 0;
  if (max <= 0) return;
  for await (const { data } of pages) {
    for (const row of data.items) {
      yield row as T;
      given += 1;
      if (given >= max) return;
    }
  }
}
