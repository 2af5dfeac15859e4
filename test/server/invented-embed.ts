import type { UpstreamAnswer } from '../../pipeline/network/fetcher.ts';
import { frontityPage } from '../pipeline/shortvideo/upstream.ts';

/** Ten invented rows. Every third count is shown rounded. */
export const embedRows = Array.from({ length: 10 }, (_, index) => ({
  id: `90071992547409${930 + index}`,
  desc: `invented ${index} #tide`,
  playCount: index % 3 === 2 ? 1_200_000 : 100 + index,
  authorUniqueId: `invented.${index}`,
  coverUrl: `https://invented.example/${index}.jpg`,
}));

/** The rows as the platform lists them, with a private video among them. */
const videoList = embedRows.toSpliced(4, 0, {
  ...(embedRows[0] as (typeof embedRows)[0]),
  id: '1',
  privateItem: true,
} as never);

/** Answers a request for any hashtag or sound with the same list. */
export function embedAnswer(url: string): UpstreamAnswer {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  const embedInfo = { id: name, title: name, statusCode: 0 };
  const page = frontityPage({ source: { data: { [pathname]: { isError: false, embedInfo, videoList } } } });
  return { status: 200, url, headers: {}, body: Buffer.from(page) };
}
