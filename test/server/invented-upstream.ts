import type { Fetcher, UpstreamAnswer, UpstreamRequest } from '../../pipeline/network/fetcher.ts';

/** A fake Instagram on which every handle is a public profile with twelve posts. */
export interface InventedUpstream {
  fetch: Fetcher;
  /** URLs that were requested from the fake Instagram. */
  asked: string[];
  /** A promise that every answer waits for. Tests use this promise to delay answers. */
  hold: Promise<void>;
  /**
   * Returns an answer that replaces the invented profile; null keeps the profile. Without this function, every request
   * gets the profile.
   */
  answer: ((request: UpstreamRequest) => Partial<UpstreamAnswer> | null) | null;
}

export function inventedUpstream(): InventedUpstream {
  const upstream: InventedUpstream = {
    asked: [],
    hold: Promise.resolve(),
    answer: null,
    async fetch(request) {
      upstream.asked.push(request.url);
      await upstream.hold;
      const headers = { 'content-type': 'application/json' };
      const body = Buffer.from(JSON.stringify(profileOf(request.url)));
      return { status: 200, url: request.url, headers, body, ...upstream.answer?.(request) };
    },
  };
  return upstream;
}

/**
 * Returns an id above 2^53, which JavaScript numbers cannot represent exactly. The same handle always gets the same id.
 */
export function inventedId(handle: string): string {
  return `9007199254${[...handle].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e9, 7)}`;
}

/** Returns an invented answer in the format of web_profile_info. */
function profileOf(url: string): unknown {
  const handle = new URL(url).searchParams.get('username') ?? 'nobody';
  const owner = { id: inventedId(handle), username: handle };
  const edges = Array.from({ length: 12 }, (_, index) => ({ node: postOf(index, owner) }));
  const user = {
    ...owner,
    full_name: `Invented ${handle}`,
    biography: '=HYPERLINK("http://invented.example")',
    external_url: null,
    is_private: false,
    is_verified: false,
    profile_pic_url: 'https://invented.example/a.jpg',
    profile_pic_url_hd: 'https://invented.example/b.jpg',
    edge_followed_by: { count: 4321 },
    edge_follow: { count: 0 },
    edge_owner_to_timeline_media: { count: 12, page_info: { has_next_page: false, end_cursor: null }, edges },
  };
  return { data: { user }, status: 'ok' };
}

function postOf(index: number, owner: { id: string; username: string }) {
  return {
    __typename: 'GraphImage',
    id: `90071992547400${100 + index}`,
    shortcode: `Invented${String.fromCharCode(65 + index)}00`,
    owner,
    display_url: 'https://invented.example/post.jpg',
    dimensions: { width: 1080, height: 1080 },
    taken_at_timestamp: 1_790_000_000 - index * 86_400,
    edge_media_to_caption: { edges: [{ node: { text: `Invented post ${index} #tide` } }] },
    edge_media_preview_like: { count: 10 + index },
    edge_media_to_comment: { count: index },
    is_video: false,
  };
}
