import type { UpstreamAnswer } from '../../pipeline/network/fetcher.ts';
import { frontityPage } from '../pipeline/shortvideo/upstream.ts';

/** Ten invented videos in an embed. Every third count is rounded. */
export const embedRows = Array.from({ length: 10 }, (_, index) => ({
  id: `90071992547409${930 + index}`,
  desc: `invented ${index} #tide`,
  playCount: index % 3 === 2 ? 1_200_000 : 100 + index,
  authorUniqueId: `invented.${index}`,
  coverUrl: `https://invented.example/${index}.jpg`,
}));

/** The list of videos in the embed: the invented videos and one private video. */
const videoList = embedRows.toSpliced(4, 0, {
  ...(embedRows[0] as (typeof embedRows)[0]),
  id: '1',
  privateItem: true,
} as never);

/**
 * Returns the answer of TikTok to a request for the embed of a hashtag or a sound. Every embed has the same list of
 * videos.
 */
export function embedAnswer(url: string): UpstreamAnswer {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  const embedInfo = { id: name, title: name, statusCode: 0 };
  const page = frontityPage({ source: { data: { [pathname]: { isError: false, embedInfo, videoList } } } });
  return { status: 200, url, headers: {}, body: Buffer.from(page) };
}
