import type { SourceContext } from '../../collect/collect.ts';
import { dig, toText } from '../../parse/values.ts';
import { type DataApi, dataApiItems } from './client.ts';

/** The names hardly ever change: one unit a day is enough. */
const keptMs = 24 * 3_600_000;

/** The category names of the official source, kept for a day. */
export interface Categories {
  names: ReadonlyMap<string, string>;
  read_at: Date | null;
}

export function createCategories(): Categories {
  return { names: new Map(), read_at: null };
}

/** The English name of a video category, null when the source knows none. Throws what {@link dataApiItems} throws. */
export async function categoryName(
  categories: Categories,
  api: DataApi,
  id: string,
  context: SourceContext,
): Promise<string | null> {
  const now = context.now();
  if (categories.read_at === null || now.getTime() - categories.read_at.getTime() >= keptMs) {
    const items = await dataApiItems(
      api,
      {
        method: 'videoCategories.list',
        send: (youtube) => youtube.videoCategories.list({ part: ['snippet'], regionCode: 'US', hl: 'en' }),
      },
      context,
    );
    categories.names = new Map(
      items.map((item) => [toText(dig(item, 'id')) ?? '', toText(dig(item, 'snippet', 'title')) ?? '']),
    );
    categories.read_at = now;
  }
  return toText(categories.names.get(id));
}
