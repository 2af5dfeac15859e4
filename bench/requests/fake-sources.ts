import type { CollectContext } from '../../pipeline/collect/collect.ts';
import { createSources } from '../../pipeline/create-sources.ts';
import { webProfileInfo } from '../invented.ts';

const keyless = {
  youtube_api_key: null,
  instagram_graph_token: null,
  instagram_graph_user_id: null,
  meta_adlibrary_token: null,
  x_bearer_token: null,
  keyless: () => true,
};

/** Returns sources that answer immediately. Each answer is a profile of Instagram's website with `posts` posts. */
export function fakeSources(posts: number): Omit<CollectContext, 'signal'> {
  const body = webProfileInfo(posts);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return {
    ...createSources({ sources: keyless, recordings: null }, () => new Date()),
    fetch: async ({ url }) => ({ status: 200, url, headers, body }),
  };
}
