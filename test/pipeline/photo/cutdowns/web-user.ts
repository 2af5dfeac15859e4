/** Invented answers of web_profile_info: nobody's data. */

/** A media node as the list of an account carries it. */
export function node(index: number, more: object = {}): object {
  return {
    __typename: 'GraphImage',
    id: String(3900000000000000000n + BigInt(index)),
    shortcode: `Inv${String(index).padStart(8, '0')}`,
    dimensions: { width: 1080, height: 1350 },
    display_url: `https://scontent.cdninstagram.com/invented/${index}.jpg?oe=6B000000`,
    owner: { id: '424242', username: 'paper.kite' },
    is_video: false,
    edge_media_to_caption: { edges: [{ node: { text: `Kite ${index} #wind #Wind with @friend.of.kites.` } }] },
    edge_media_to_comment: { count: index },
    edge_media_preview_like: { count: 100 + index },
    edge_liked_by: { count: 50 + index },
    comments_disabled: false,
    taken_at_timestamp: 1760000000 + index,
    ...more,
  };
}

export function user(nodes: readonly object[], more: object = {}): object {
  return {
    data: {
      user: {
        id: '424242',
        fbid: '17841400000424242',
        username: 'paper.kite',
        full_name: 'Paper Kite',
        biography: 'Invented kites.',
        is_private: false,
        is_verified: true,
        profile_pic_url: 'https://scontent.cdninstagram.com/invented/small.jpg',
        profile_pic_url_hd: 'https://scontent.cdninstagram.com/invented/large.jpg',
        edge_followed_by: { count: 1200 },
        edge_follow: { count: 0 },
        edge_owner_to_timeline_media: {
          count: nodes.length,
          page_info: { has_next_page: false, end_cursor: null },
          edges: nodes.map((one) => ({ node: one })),
        },
        ...more,
      },
    },
    status: 'ok',
  };
}

/** The twelve newest of many posts. */
export function twelveOfMany(): object {
  const nodes = Array.from({ length: 12 }, (_, index) => node(index));
  return user(nodes, {
    edge_owner_to_timeline_media: {
      count: 300,
      page_info: { has_next_page: true, end_cursor: 'invented' },
      edges: nodes.map((one) => ({ node: one })),
    },
  });
}
