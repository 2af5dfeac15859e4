import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { microblogUserPostsParams } from '../../../pipeline/microblog/params.ts';
import { xPostSource, xProfileSource, xUserPosts } from '../../../pipeline/microblog/x-api.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { microblogPostRecord, microblogProfileRecord } from '../../../pipeline/records/microblog.ts';
import { describeRecorded, recordedFetcher, recordedFolder } from '../../recorded.ts';
import { refusalOf } from '../photo/fixed-answers.ts';
import { fixedX } from './fixtures/x.ts';

const rebuilt = 'rebuilt/microblog';

interface User {
  id: string;
  username: string;
  name: string;
  description?: string;
  protected?: boolean;
  verified?: boolean;
  profile_image_url?: string;
  public_metrics?: { followers_count: number; following_count: number; tweet_count: number };
  entities?: { url?: { urls: { expanded_url: string }[] } };
}

interface Post {
  id: string;
  text: string;
  author_id?: string;
  created_at?: string;
  public_metrics?: { retweet_count: number; quote_count: number; like_count: number; reply_count: number };
  referenced_tweets?: { type: string; id: string }[];
  entities?: { hashtags?: { tag: string }[]; mentions?: { username: string }[]; urls?: { url: string }[] };
}

interface Body {
  data: Post[];
  includes?: { users?: User[]; tweets?: Post[] };
  meta?: { next_token?: string };
}

/** Converts a recorded post to our format, independently of the product code. */
function plain(post: Post, { includes }: Body): object {
  const repeated = post.referenced_tweets?.find(({ type }) => type === 'retweeted')?.id;
  const written = includes?.tweets?.find(({ id }) => id === repeated) ?? post;
  const author = includes?.users?.find(({ id }) => id === post.author_id);
  const counts = post.public_metrics;
  return {
    id: post.id,
    author: author?.username ?? null,
    author_id: post.author_id ?? null,
    author_display_name: author?.name ?? null,
    published_at: post.created_at ?? null,
    likes: counts?.like_count ?? null,
    comments: counts?.reply_count ?? null,
    shares: counts ? counts.retweet_count + counts.quote_count : null,
    views: null,
    repost_of: repeated ?? null,
    ...(written.entities && {
      hashtags: named((written.entities.hashtags ?? []).map(({ tag }) => tag)),
      mentions: named((written.entities.mentions ?? []).map(({ username }) => username)),
    }),
  };
}

/** Returns the expected hashtags or mentions: each name once, as first written. */
function named(names: string[]): object[] {
  const plainNames = names.map((name) => name.toLowerCase());
  const first = names.filter((_, index) => plainNames.indexOf(plainNames[index] ?? '') === index);
  return first.map((name) => expect.objectContaining({ name }));
}

/** Returns the part of a text before its first link, escape or ellipsis. */
const beginning = (text: string) => text.split(/&|https:\/\/t\.co|…$/)[0] ?? '';

describeRecorded('the recordings of the API', () => {
  const json = (file: string) => JSON.parse(readFileSync(join(recordedFolder, file), 'utf8'));
  /**
   * Returns the recorded accounts. Reads them from the recordings, because the repository must not contain their names.
   */
  const users = (): User[] => {
    const names = readdirSync(join(recordedFolder, rebuilt)).filter((name) => /^x-v2\.user\.\w+\.json$/.test(name));
    const files = ['microblog/x-v2.user.by-username.json', ...names.map((name) => `${rebuilt}/${name}`)];
    return files.map((file) => json(file).data);
  };
  const recorded = recordedFetcher();
  const requestedUrls: string[] = [];
  const { context: fixedAnswers } = fixedX();
  const fetch: Fetcher = (request, signal) => {
    requestedUrls.push(request.url);
    return recorded(request, signal);
  };
  const context = { ...fixedAnswers, fetch };

  /** Returns the recorded posts of an account. Only the answer to the request for the user id is invented. */
  function postsOf(userId: string, limit: number) {
    const answering: Fetcher = async (request, signal) => {
      if (!request.url.includes('/users/by/')) return fetch(request, signal);
      const body = Buffer.from(JSON.stringify({ data: { id: userId, username: 'invented', name: 'Invented' } }));
      return { status: 200, url: request.url, headers: {}, body };
    };
    return xUserPosts.collect(microblogUserPostsParams.parse({ handle: 'invented', limit }), {
      ...context,
      fetch: answering,
    });
  }

  test('the profiles of all recorded accounts have the recorded values', async () => {
    expect(users().length).toBeGreaterThan(3);
    for (const user of users()) await checkProfile(user);
  });

  async function checkProfile(user: User): Promise<void> {
    const { record } = await xProfileSource.collect({ handle: user.username }, context);
    expect(microblogProfileRecord.parse(record)).toMatchObject({
      id: user.id,
      username: user.username,
      display_name: user.name,
      bio: user.description ?? null,
      followers: user.public_metrics?.followers_count ?? null,
      following: user.public_metrics?.following_count ?? null,
      posts: user.public_metrics?.tweet_count ?? null,
      verified: user.verified ?? null,
      private: user.protected ?? null,
      avatar_url: user.profile_image_url ?? null,
      external_url: user.entities?.url?.urls[0]?.expanded_url ?? null,
    });
  }

  test.each([
    ['adljfhjsd', 'RESOURCE_NOT_FOUND'],
    ['replay_no_token', 'SOURCE_NOT_CONFIGURED'],
    ['replay_bad_req', 'SOURCE_RESPONSE_CHANGED'],
  ])('the X handle %s fails with %s', async (handle, code) => {
    expect((await refusalOf(xProfileSource.collect({ handle }, context))).code).toBe(code);
  });

  test.each([
    ['1293593516040269825', 'microblog/x-v2.tweet.by-id.json'],
    ['1266852099163291650', 'rebuilt/microblog/x-v2.tweet.1266852099163291650.json'],
    ['20', 'rebuilt/microblog/x-v2.tweet.20.json'],
  ])('the X post %s has the recorded values', async (id, file) => {
    const body = json(file);
    const { record, partial } = await xPostSource.collect({ id }, context);
    expect(microblogPostRecord.parse(record)).toMatchObject(plain(body.data, body));
    expect(partial).toBe(false);
  });

  describe.each([
    ['936983330', 'microblog/x-v2.user-tweets.full.json'],
    ['783214', 'microblog/x-v2.user-tweets.json'],
    ['460255655', 'microblog/x-v2.user-tweets.not-authorized-partials.json'],
    ['2758518175', 'microblog/x-v2.user-tweets.small.json'],
  ])('the posts of %s', (userId, file) => {
    const body: Body = json(file);

    test('recorded posts have every value, in the order of the source', async () => {
      const { record } = await postsOf(userId, 100);
      expect(record).toHaveLength(body.data.length);
      for (const [index, post] of body.data.entries()) {
        expect(microblogPostRecord.parse(record[index])).toMatchObject(plain(post, body));
      }
    });

    test('recorded posts have complete texts with full links', async () => {
      const { record, warnings } = await postsOf(userId, 100);
      for (const [index, post] of body.data.entries()) {
        const repeated = record[index]?.repost_of ?? null;
        const whole = repeated === null ? post : body.includes?.tweets?.find(({ id }) => id === repeated);
        expect(record[index]?.text).toContain(beginning((whole ?? post).text));
        for (const { url } of whole?.entities?.urls ?? []) expect(record[index]?.text).not.toContain(url);
      }
      expect(warnings?.filter((warning) => warning.includes(' is cut'))).toEqual([]);
    });

    test('recorded posts continue with the next token of the source, with at most `limit` rows', async () => {
      const { record, next } = await postsOf(userId, 1);
      expect(record.map(({ id }) => id)).toEqual([body.data[0]?.id]);
      expect(next).toEqual({ user_id: userId, after: null, skip: 1 });
      const all = await postsOf(userId, 100);
      const token = body.meta?.next_token;
      expect(all.next).toEqual(token === undefined ? null : { user_id: userId, after: token, skip: 0 });
    });
  });

  test('recorded errors in `includes` keep the posts and make the answer partial', async () => {
    expect((await postsOf('460255655', 20)).partial).toBe(true);
    expect((await postsOf('936983330', 5)).partial).toBe(false);
  });

  test('recorded posts of two accounts take two calls each, because the user lookup is recorded as well', async () => {
    const withPosts = users().filter(({ id }) => ['783214', '936983330', '2758518175'].includes(id));
    expect(withPosts).toHaveLength(2);
    for (const { username: handle } of withPosts) {
      const before = requestedUrls.length;
      const { record } = await xUserPosts.collect(microblogUserPostsParams.parse({ handle }), context);
      expect(record.length).toBeGreaterThan(0);
      expect(requestedUrls.length - before).toBe(2);
    }
  });

  test('the recorded account without posts has an empty list', async () => {
    expect(await postsOf('17880989', 10)).toMatchObject({ record: [], next: null, partial: false });
  });

  test.each(['1405327120163872777', '45648666'])(
    'the recorded removed or suspended account %s is not found',
    async (userId) => {
      expect((await refusalOf(postsOf(userId, 10))).code).toBe('RESOURCE_NOT_FOUND');
    },
  );

  afterAll(() => {
    const exchanges: { url: string; example: { url: string } }[] = json('manifest.json').exchanges;
    const recorded = exchanges
      .filter(({ url }) => url.includes('api\\.(?:x|twitter)'))
      .map(({ example }) => example.url);
    const paths = (urls: string[]) => [...new Set(urls.map((url) => new URL(url).pathname))].sort();
    expect(paths(requestedUrls)).toEqual(paths(recorded));
  });
});
