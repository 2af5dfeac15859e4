import { dayMs, hasPassed } from '../../../db/durations.ts';
import type { SourceContext } from '../../collect/collect.ts';
import { dig, toText } from '../../parse/values.ts';
import { type DataApi, dataApiItems } from './client.ts';

/**
 * Milliseconds for which the names of YouTube's video categories are cached. One quota unit a day is enough, because
 * the names rarely change.
 */
const lifetimeMs = dayMs;

/**
 * Cache of the names of YouTube's video categories, by category ID. The names are fetched from the YouTube Data API
 * once a day.
 */
export interface Categories {
  names: ReadonlyMap<string, string>;
  read_at: Date | null;
}

export function createCategories(): Categories {
  return { names: new Map(), read_at: null };
}

/**
 * Returns the English name of a YouTube video category; null when unknown. Throws the errors of {@link dataApiItems}.
 */
export async function categoryName(
  categories: Categories,
  api: DataApi,
  id: string,
  context: SourceContext,
): Promise<string | null> {
  const now = context.now();
  if (categories.read_at === null || hasPassed(lifetimeMs, categories.read_at.getTime(), now.getTime())) {
    const items = await dataApiItems(
      api,
      {
        method: 'videoCategories.list',
        params: { part: ['snippet'], regionCode: 'US', hl: 'en' },
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
