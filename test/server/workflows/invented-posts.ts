import type { UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { frontityPage, readFixture } from '../../pipeline/shortvideo/upstream.ts';

export const channelId = 'UCinvented00000000000001';
export const env = { YOUTUBE_API_KEY: 'invented-key-7e1b' };

const posted = (index: number) => ({
  id: `invented00${index}`,
  snippet: {
    title: `=Invented video ${index}`,
    description: 'An invented text',
    channelId,
    channelTitle: 'Invented Shore',
    publishedAt: `2026-11-0${9 - index}T08:00:00Z`,
  },
  statistics: { viewCount: String(1_000 * index), commentCount: '0', ...(index === 2 ? {} : { likeCount: '7' }) },
});

const kinds: Record<string, string> = { channels: 'channel', playlistItems: 'playlistItem', videos: 'video' };

const lists: Record<string, (query: URLSearchParams) => unknown[]> = {
  channels: () => [{ id: channelId, snippet: { title: 'Invented Shore' }, statistics: { subscriberCount: '12' } }],
  playlistItems: () => [1, 2, 3].map((index) => ({ contentDetails: { videoId: `invented00${index}` } })),
  videos: (query) => {
    const wanted = (query.get('id') ?? '').split(',');
    return [1, 2, 3].map(posted).filter(({ id }) => wanted.includes(id));
  },
};

/** Returns invented answers of TikTok and YouTube, or null for a request to Instagram. */
export function inventedPosts({ url }: UpstreamRequest) {
  const { pathname, searchParams } = new URL(url);
  if (pathname.startsWith('/embed/@')) {
    const headers = { 'content-type': 'text/html' };
    return { headers, body: Buffer.from(frontityPage(readFixture('creator-embed.json'))) };
  }
  const name = pathname.split('/').at(-1) ?? '';
  const items = lists[name]?.(searchParams);
  return items ? { body: listOf(name, items) } : null;
}

/** Returns the bytes of an invented HTTP answer with a list, in the format of YouTube's official API. */
export function listOf(name: string, items: unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ kind: `youtube#${kinds[name]}ListResponse`, items }));
}
