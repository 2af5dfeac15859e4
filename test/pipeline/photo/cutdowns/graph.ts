/** Invented answers of business_discovery: nobody's data. */

const pathOf = { IMAGE: 'p', VIDEO: 'reel', CAROUSEL_ALBUM: 'p' };

export function graphMedia(
  index: number,
  more: { media_type?: keyof typeof pathOf; [key: string]: unknown } = {},
): object {
  const { media_type = 'IMAGE' } = more;
  return {
    id: `1800000000000${index}`,
    caption: `Kite ${index} #wind by friend`,
    media_type,
    media_product_type: 'FEED',
    media_url: `https://scontent.cdninstagram.com/invented/${index}.jpg?oe=6B000000`,
    permalink: `https://www.instagram.com/${pathOf[media_type]}/Inv${String(index).padStart(8, '0')}/`,
    timestamp: '2026-10-01T08:00:00+0000',
    username: 'paper.kite',
    like_count: 100 + index,
    comments_count: index,
    ...more,
  };
}

export function discovery(media: readonly object[], after: string | null, more: object = {}): object {
  return {
    business_discovery: {
      id: '17841400000424242',
      ig_id: 424242,
      username: 'paper.kite',
      name: 'Paper Kite',
      biography: 'Invented kites.',
      website: 'https://kites.example/',
      profile_picture_url: 'https://scontent.cdninstagram.com/invented/large.jpg',
      followers_count: 1200,
      follows_count: 0,
      media_count: media.length,
      media: {
        data: media,
        ...(after === null
          ? {}
          : { paging: { cursors: { after }, next: 'https://graph.facebook.com/?access_token=secret' } }),
      },
      ...more,
    },
    id: '17841400000000001',
  };
}

export function graphError(code: number, error_subcode?: number, message = 'invented'): object {
  return { error: { message, type: 'OAuthException', code, error_subcode, fbtrace_id: 'AInventedTrace' } };
}
