/** Words for invented answers of the platforms, which have a realistic form and size but contain no real data. */

const words = 'tide pool kelp crab urchin limpet foam gull shore dune reed salt wind sand wave moon'.split(' ');

function sentence(seed: number, length: number): string {
  return Array.from({ length }, (_, index) => words[(seed * 7 + index * 5) % words.length]).join(' ');
}

function address(name: string, seed: number): string {
  const query = Array.from({ length: 24 }, (_, index) => `p${index}=${(seed * 2654435761 + index * 97).toString(36)}`);
  return `https://scontent.cdninstagram.com/v/t51.2885-15/${seed}_${name}_n.jpg?${query.join('&')}&oe=6B0CFA0D`;
}

function postNode(index: number): object {
  const resources = Array.from({ length: 5 }, (_, size) => ({
    src: address(`thumbnail${size}`, index * 10 + size),
    config_width: 150 * (size + 1),
    config_height: 150 * (size + 1),
  }));
  return {
    __typename: 'GraphImage',
    id: String(3900000000000000000n + BigInt(index)),
    shortcode: `Inv${String(index).padStart(8, '0')}`,
    dimensions: { width: 1080, height: 1350 },
    display_url: address('display', index),
    owner: { id: '424242', username: 'paper.kite' },
    is_video: false,
    accessibility_caption: sentence(index, 20),
    edge_media_to_caption: { edges: [{ node: { text: `${sentence(index, 60)} #tide #kelp with @paper.kite` } }] },
    edge_media_to_comment: { count: index },
    edge_media_preview_like: { count: 100 + index },
    comments_disabled: false,
    taken_at_timestamp: 1760000000 + index,
    thumbnail_resources: resources,
    display_resources: resources.slice(0, 3),
  };
}

/** Returns an answer of Instagram's web_profile_info: about 2 kB, and another 4 kB for each post. */
export function webProfileInfo(posts: number): Buffer {
  const edges = Array.from({ length: posts }, (_, index) => ({ node: postNode(index) }));
  const user = {
    id: '424242',
    fbid: '17841400000424242',
    username: 'paper.kite',
    full_name: 'Paper Kite',
    biography: sentence(1, 24),
    bio_links: [1, 2].map((seed) => ({ title: sentence(seed, 3), url: `https://paper-kite.example/${seed}` })),
    external_url: 'https://paper-kite.example/',
    category_name: 'Artist',
    is_business_account: false,
    is_professional_account: true,
    is_private: false,
    is_verified: true,
    profile_pic_url: address('small', 1),
    profile_pic_url_hd: address('large', 2),
    edge_followed_by: { count: 123_456 },
    edge_follow: { count: 321 },
    edge_related_profiles: { edges: [] },
    edge_owner_to_timeline_media: {
      count: 300,
      page_info: { has_next_page: true, end_cursor: sentence(3, 12) },
      edges,
    },
  };
  return Buffer.from(JSON.stringify({ data: { user }, status: 'ok' }));
}

/** Returns a TikTok profile page of about 300 kB. Most of its JSON is data that the source does not read. */
export function shortvideoProfilePage(): Buffer {
  const filler = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`text_${index}`, sentence(index, 12)]));
  const user = {
    id: '7000000000000000001',
    uniqueId: 'paper.kite',
    nickname: 'Paper Kite',
    signature: sentence(4, 16),
    verified: false,
    privateAccount: false,
    secUid: sentence(5, 8).replaceAll(' ', ''),
    avatarLarger: address('avatar', 1),
    bioLink: { link: 'paper-kite.example', risk: 0 },
    region: 'US',
    language: 'en',
  };
  const stats = { followerCount: 12_345, followingCount: 12, heartCount: 99_999, videoCount: 45 };
  const scope = {
    'webapp.app-context': filler(500),
    'webapp.i18n-translation': filler(2_500),
    'webapp.user-detail': { userInfo: { user, stats, statsV2: stats }, statusCode: 0 },
    'webapp.a-b': filler(300),
  };
  const json = JSON.stringify({ __DEFAULT_SCOPE__: scope });
  return Buffer.from(
    `<!DOCTYPE html><html><head><title>Invented</title></head><body><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${json}</script></body></html>`,
  );
}
