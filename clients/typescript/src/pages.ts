/** The part of a list answer that contains its rows and the cursor of the next page. */
export interface Page {
  data: { items: unknown[]; pagination: { next_cursor: string | null } };
}

/** Returns the pages of a list until `next_cursor` is null. `get` requests one page. */
export async function* pagesOf(
  query: Record<string, unknown>,
  get: (query: Record<string, unknown>) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let pageQuery = query;
  for (;;) {
    const page = await get(pageQuery);
    yield page;
    const { next_cursor } = page.data.pagination;
    if (next_cursor === null) return;
    pageQuery = { ...query, cursor: next_cursor };
  }
}

/** Returns at most `max` rows of the pages. Requests a page only when one of its rows is needed. */
export async function* rowsOf<T>(pages: AsyncIterable<Page>, max: number): AsyncGenerator<T, void, undefined> {
  let count = 0;
  if (max <= 0) return;
  for await (const { data } of pages) {
    for (const row of data.items) {
      yield row as T;
      count += 1;
      if (count >= max) return;
    }
  }
}
