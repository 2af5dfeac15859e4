import type { UpstreamAnswer } from '../../pipeline/network/fetcher.ts';
import { frontityPage } from '../pipeline/shortvideo/upstream.ts';

/** Ten invented rows. Every third count is rounded. */
export const embedRows = Array.from({ length: 10 }, (_, index) => ({
  id: `90071992547409${930 + index}`,
  desc: `invented ${index} #tide`,
  playCount: index % 3 === 2 ? 1_200_000 : 100 + index,
  authorUniqueId: `invented.${index}`,
  coverUrl: `https://invented.example/${index}.jpg`,
}));

/** The list of the platform: the invented rows and one private video. */
const videoList = embedRows.toSpliced(4, 0, {
  ...(embedRows[0] as (typeof embedRows)[0]),
  id: '1',
  privateItem: true,
} as never);

/** Returns the answer to a request for a hashtag or a sound. It has the same list for all of them. */
export function embedAnswer(url: string): UpstreamAnswer {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  const embedInfo = { id: name, title: name, statusCode: 0 };
  const page = frontityPage({ source: { data: { [pathname]: { isError: false, embedInfo, videoList } } } });
  return { status: 200, url, headers: {}, body: Buffer.from(page) };
}
