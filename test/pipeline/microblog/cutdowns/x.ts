import { type CannedAnswer, canned, token } from '../../photo/canned.ts';

/** Invented. */
export const userId = '9900000000000000001';
export const handle = 'paper_kite';

/** Invented: an account in the naming that answers still carry. */
export const user = {
  id: userId,
  username: handle,
  name: 'Paper Kite',
  description: 'Kites & wind. https://t.co/Invented01',
  url: 'https://t.co/Invented02',
  entities: {
    url: { urls: [{ url: 'https://t.co/Invented02', expanded_url: 'https://kite.example/shop' }] },
    description: { urls: [{ url: 'https://t.co/Invented01', expanded_url: 'https://kite.example/wind' }] },
  },
  public_metrics: { followers_count: 12, following_count: 0, tweet_count: 3, listed_count: 1 },
  profile_image_url: 'https://pbs.twimg.com/profile_images/1/invented_normal.jpg',
  protected: false,
  verified: true,
};

/** Invented: a post of that account; `id` beyond what a number holds. */
export function post(index: number, changes: object = {}): object {
  return {
    id: String(9_900_000_000_000_001_000n + BigInt(index)),
    text: `Kite ${index} &amp; wind &lt;3 #wind @paper_boat https://t.co/Invented03`,
    created_at: '2026-11-01T10:00:00.000Z',
    author_id: userId,
    public_metrics: { retweet_count: 2, quote_count: 1, reply_count: 0, like_count: 5, impression_count: 99 },
    entities: {
      hashtags: [{ start: 0, end: 5, tag: 'wind' }],
      mentions: [{ start: 6, end: 17, username: 'paper_boat', id: '9900000000000000002' }],
      urls: [{ url: 'https://t.co/Invented03', expanded_url: 'https://kite.example/?a=1&b=2' }],
    },
    ...changes,
  };
}

/** Invented: a page of posts, `next_token` null at the end. */
export function postPage(rows: readonly object[], next_token: string | null, more: object = {}): object {
  const meta = { result_count: rows.length, ...(next_token === null ? {} : { next_token }) };
  return { data: rows, includes: { users: [user] }, meta, ...more };
}

export const problem = (kind: string) => ({ type: `https://api.x.com/2/problems/${kind}`, title: 'Invented' });

/** {@link canned} with the token of the API. */
export function cannedX(...answers: CannedAnswer[]) {
  const { context, requests } = canned(...answers);
  return { context: { ...context, config: { ...context.config, x_bearer_token: token } }, requests };
}
