import { describe, expect, test } from 'vitest';
import { collect } from '../../../pipeline/collect/collect.ts';
import { photoProfile } from '../../../pipeline/photo/collectors.ts';
import { photoProfilePage } from '../../../pipeline/photo/web/profile-page.ts';
import { photoProfileRecord as record } from '../../../pipeline/records/photo.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { metaPage } from './fixtures/v1-media.ts';
import { user as webUser } from './fixtures/web-user.ts';

const handle = 'Paper.Kite';
const counts = '1,234 Followers, 56 Following, 1 Post';
const bio = 'Invented kites &amp;\n“wind”';
const tags = {
  'og:url': 'https://www.instagram.com/paper.kite/',
  'og:title': 'Paper Kite (&#064;paper.kite) &#x2022; Instagram photos and videos',
  'og:description': `${counts} - See Instagram photos and videos from Paper Kite (&#064;paper.kite)`,
  'og:image': 'https://scontent.cdninstagram.com/invented/avatar.jpg?a=1&amp;oe=6B000000',
  description: `${counts} - Paper Kite (&#064;paper.kite) on Instagram: &quot;${bio}&quot;`,
};

function page(more: Partial<typeof tags> = {}) {
  return { body: metaPage({ ...tags, ...more }) };
}

function collected(answer: FixedAnswer) {
  return photoProfilePage.collect({ handle }, fixedAnswers(answer).context);
}

describe('the meta tags of an Instagram profile page', () => {
  test('an Instagram profile page gives name, text, picture and exact small counts, as a partial answer with a warning', async () => {
    const answer = await collected(page());
    expect(record.parse(answer.record)).toMatchObject({
      id: null,
      username: 'paper.kite',
      display_name: 'Paper Kite',
      bio: 'Invented kites &\n“wind”',
      profile_url: 'https://www.instagram.com/paper.kite/',
      followers: 1234,
      following: 56,
      posts: 1,
      follower_count_is_rounded: false,
      avatar_url: 'https://scontent.cdninstagram.com/invented/avatar.jpg?a=1&oe=6B000000',
      verified: null,
      private: null,
    });
    expect(answer).toMatchObject({ partial: true, quality: {}, warnings: [expect.stringContaining('summary')] });
  });

  test('an Instagram profile page has the ID of its account in its settings', async () => {
    const settings = '<script>{"params":{"page_id":"profilePage_424242","profile_id":"424242"}}</script>';
    expect((await collected({ body: page().body + settings })).record.id).toBe('424242');
  });

  test('an Instagram profile page gives rounded counts for numbers with a letter', async () => {
    const og = '12.5K Followers, 1,001 Following, 3M Posts - See Instagram photos and videos';
    const answer = await collected(page({ 'og:description': og }));
    expect(answer.record).toMatchObject({ followers: 12_500, following: 1001, posts: 3_000_000 });
    expect(answer.record.follower_count_is_rounded).toBe(true);
    expect(answer.quality).toEqual({ followers: 'rounded', posts: 'rounded' });
  });

  test('the name in the title of an Instagram profile page may contain another handle', async () => {
    const named = page({ 'og:title': 'Kite (@old.kite) (@Paper.Kite) &#x2022; Instagram photos and videos' });
    expect((await collected(named)).record.display_name).toBe('Kite (@old.kite)');
    const grown = page({ 'og:title': 'İRİS KİTES (@Paper.Kite) &#x2022; Instagram photos and videos' });
    expect((await collected(grown)).record.display_name).toBe('İRİS KİTES');
    const unnamed = page({ 'og:title': '@paper.kite &#x2022; Instagram photos and videos' });
    expect((await collected(unnamed)).record.display_name).toBeNull();
  });

  test('an Instagram profile page of another account is a changed answer', async () => {
    const other = collected(page({ 'og:url': 'https://www.instagram.com/someone.else/' }));
    expect((await refusalOf(other)).code).toBe('SOURCE_RESPONSE_CHANGED');
  });
});

describe('the JSON data in an Instagram profile page', () => {
  const user = {
    pk: '424242',
    id: '17841400000000001',
    username: 'paper.kite',
    full_name: 'Paper Kite',
    biography: 'Invented kites\nand a longer text',
    is_verified: true,
    is_private: false,
    profile_pic_url: 'https://scontent.cdninstagram.com/invented/small.jpg',
    bio_links: [{ url: 'https://kites.example/', title: '' }],
    external_url: 'https://kites.example/',
    follower_count: 12_345,
    following_count: 56,
    all_media_count: null,
  };
  const script = (sent: unknown) =>
    `<script type="application/json">${JSON.stringify({ data: { xig_user_by_username: sent } })}</script>`;
  const repeated = { pk: '424242', polaris_ordered_timeline_connection: { edges: [] } };
  const withData = (head: string, sent: object = user) => ({ body: head + script(repeated) + script(sent) });

  test('an Instagram profile page gives the exact counts and fields of its JSON data, and the posts of its meta tags', async () => {
    const rounded = { 'og:description': '12.3K Followers, 56 Following, 1.2K Posts - See Instagram photos' };
    const { record: sent, ...answer } = await collected(withData(page(rounded).body));
    expect(record.parse(sent)).toMatchObject({
      id: '424242',
      username: 'paper.kite',
      display_name: 'Paper Kite',
      bio: user.biography,
      verified: true,
      private: false,
      followers: 12_345,
      following: 56,
      posts: 1200,
      follower_count_is_rounded: false,
      avatar_url: 'https://scontent.cdninstagram.com/invented/avatar.jpg?a=1&oe=6B000000',
      bio_links: [{ url: 'https://kites.example/', title: null }],
      external_url: 'https://kites.example/',
    });
    expect(answer).toMatchObject({ partial: true, quality: { posts: 'rounded' } });
  });

  test('the JSON data in an Instagram profile page is enough when the meta tags have no counts', async () => {
    const { record: sent, quality } = await collected(withData(metaPage({})));
    expect(record.parse(sent)).toMatchObject({ followers: 12_345, posts: null, avatar_url: user.profile_pic_url });
    expect(quality).toEqual({});
  });

  test('the JSON data in an Instagram profile page takes nothing from the meta tags of another account', async () => {
    const others = { 'og:url': 'https://www.instagram.com/someone.else/' };
    const { record: sent } = await collected(withData(page(others).body));
    expect(sent).toMatchObject({ followers: 12_345, posts: null, avatar_url: user.profile_pic_url });
  });

  test('the meta tags of an Instagram profile page fill the fields that its JSON data lacks', async () => {
    const rounded = { 'og:description': '12.3K Followers, 5.1K Following, 1 Post - See Instagram photos and videos' };
    const lacking = { ...user, following_count: null, biography: null };
    const { record: sent, quality } = await collected(withData(page(rounded).body, lacking));
    expect(sent).toMatchObject({ followers: 12_345, following: 5100, posts: 1, bio: 'Invented kites &\n“wind”' });
    expect(quality).toEqual({ following: 'rounded' });
  });

  test('an Instagram profile page of earlier years has all fields of the account', async () => {
    const account = webUser([], { username: 'Paper.Kite', category_name: 'Toys' });
    const shared = (sent: unknown) =>
      `<script>window._sharedData = ${JSON.stringify({ ProfilePage: [{ graphql: sent }] })};</script>`;
    const { record: sent, ...answer } = await collected({ body: page().body + shared(Object(account).data) });
    expect(record.parse(sent)).toMatchObject({ id: '424242', followers: 1200, category: 'Toys', verified: true });
    expect(answer).toEqual({});
    const other = shared({ user: { username: 'someone.else', edge_followed_by: { count: 1 } } });
    expect((await collected({ body: page().body + other })).record.followers).toBe(1234);
  });

  test('the JSON data of another account in an Instagram profile page is not read', async () => {
    const other = { ...user, username: 'someone.else' };
    expect((await collected(withData(page().body, other))).record).toMatchObject({ id: null, followers: 1234 });
  });
});

describe('a profile page without counts', () => {
  const errorPage = (setting: string) => ({
    body: `<script>{"canonicalRouteName":"comet.igweb.PolarisErrorRoute",${setting}}</script>`,
  });
  const titled = (title: string) => ({ body: `<html><head><title>${title}</title></head></html>` });

  test.each<[string, FixedAnswer, string, string]>([
    [
      'that names the account is a login wall',
      titled('Paper Kite (&#064;paper.kite) • Instagram photos and videos'),
      'SOURCE_RESTRICTED',
      'block',
    ],
    ['that leads to the login is a login wall', { body: '<a href="/accounts/login/">' }, 'SOURCE_RESTRICTED', 'block'],
    [
      'that redirects to the login is a login wall',
      { status: 302, headers: { location: '/accounts/login/?next=x' } },
      'SOURCE_RESTRICTED',
      'block',
    ],
    ['that is restricted is restricted', titled('Restricted profile'), 'SOURCE_RESTRICTED', 'resource'],
    ['that is restricted by age is restricted', errorPage('"restricted_age":18'), 'SOURCE_RESTRICTED', 'resource'],
    ['without a minimum age is missing', errorPage('"restricted_age":null'), 'RESOURCE_NOT_FOUND', 'resource'],
    ['that is not found is missing', titled('Page not found • Instagram'), 'RESOURCE_NOT_FOUND', 'resource'],
    ['that is unknown is a changed answer', titled('Something new'), 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['that fails is unavailable', { status: 502 }, 'SOURCE_UNAVAILABLE', 'us'],
  ])('an Instagram profile page without counts %s', async (_name, answer, code, about) => {
    expect(await refusalOf(collected(answer))).toMatchObject({ code, about });
  });
});

describe('photo/profile', () => {
  const collectProfile = async (...answers: FixedAnswer[]) => {
    const { context, requests } = fixedAnswers(...answers);
    const config = { ...context.config, instagram_graph_token: null };
    const answer = collect(photoProfile, { handle }, { ...context, config });
    return { answer, requests };
  };

  test('the Instagram profile page is requested last, when the profile data fail', async () => {
    const { answer, requests } = await collectProfile({ status: 503 }, page());
    expect(await answer).toMatchObject({
      source: 'instagram-profile-page',
      partial: true,
      record: { followers: 1234 },
    });
    expect((await answer).quality).toMatchObject({ id: 'not_exposed', verified: 'not_exposed' });
    expect(requests.map(({ url }) => url)[1]).toBe('https://www.instagram.com/paper.kite/');
  });

  test('the Instagram profile page is not requested after a login wall', async () => {
    const { answer, requests } = await collectProfile({ status: 302, headers: { location: '/accounts/login/' } });
    expect(await refusalOf(answer)).toMatchObject({ code: 'SOURCE_RESTRICTED', about: 'block' });
    expect(requests).toHaveLength(1);
  });
});

describeRecorded('the recorded profile page', () => {
  test('an Instagram profile page that is a login wall is 403, never a profile of nulls', async () => {
    const context = { ...fixedAnswers().context, fetch: recordedFetcher() };
    const refused = await refusalOf(photoProfilePage.collect({ handle: 'megadeth' }, context));
    expect(refused).toMatchObject({ code: 'SOURCE_RESTRICTED', about: 'block' });
  });
});
