/** Invented media of the v1 shape and the permalink pages that carry them: nobody's data. */

export const code = 'DInventedAA';

export function picture(name: string, width: number, height: number): object {
  return { url: `https://scontent.cdninstagram.com/invented/${name}.jpg?oe=6B000000`, width, height };
}

export function media(more: object = {}): object {
  return {
    code,
    pk: '3614066038397325312',
    id: '3614066038397325312_424242',
    taken_at: 1760000000,
    media_type: 1,
    product_type: 'feed',
    original_width: 1080,
    original_height: 693,
    image_versions2: {
      candidates: [picture('square', 1080, 1080), picture('small', 640, 411), picture('full', 1080, 693)],
    },
    caption: { text: 'An invented lake #calm by @paper.kite' },
    like_count: 31,
    comment_count: 0,
    like_and_view_counts_disabled: false,
    user: { pk: 424242, username: 'paper.kite', full_name: 'Paper Kite', is_private: false, is_verified: false },
    ...more,
  };
}

export function carousel(more: object = {}): object {
  const first = {
    pk: '3614066038397325313',
    media_type: 1,
    original_width: 1080,
    original_height: 1080,
    image_versions2: { candidates: [picture('first', 1080, 1080)] },
  };
  const second = {
    id: '3614066038397325314_424242',
    media_type: 2,
    original_width: 720,
    original_height: 1280,
    image_versions2: { candidates: [picture('second', 720, 1280)] },
    video_versions: [
      { url: 'https://scontent.cdninstagram.com/invented/second.mp4', width: 720, height: 1280, type: 101 },
    ],
  };
  return media({
    media_type: 8,
    product_type: 'carousel_container',
    image_versions2: undefined,
    carousel_media: [first, second],
    ...more,
  });
}

function page(script: unknown, head: string): string {
  return `<!DOCTYPE html><html><head>${head}</head><body><script type="application/json">{"other":{"code":"x"}}</script><script type="application/json" data-sjs>${JSON.stringify(script)}</script></body></html>`;
}

const ownHead = `<meta property="og:url" content="https://www.instagram.com/paper.kite/p/${code}/" />`;

/** The shape of pages since 2026: the media behind the gate for visitors, other posts of the account beside it. */
export function gatedPage(inner: unknown, head: string = ownHead): string {
  const other = {
    xig_polaris_media: { code: 'Other000001', if_not_gated_logged_out: media({ code: 'Other000001', like_count: 1 }) },
  };
  const own = { xig_polaris_media: { code, gating_ruling: null, if_not_gated_logged_out: inner } };
  return page({ require: [['RelayPrefetchedStreamCache', { __bbox: { result: { data: [other, own] } } }]] }, head);
}

/** The older shape: the answer of the media look-up inside the page. */
export function listedPage(item: unknown, head: string = ownHead): string {
  const info = { xdt_api__v1__media__shortcode__web_info: item === null ? null : { items: [item] } };
  return page({ require: [['RelayPrefetchedStreamCache', { __bbox: { result: { data: info } } }]] }, head);
}

/** A page that carries meta tags only. */
export function metaPage(tags: Record<string, string>, canonical?: string): string {
  const metas = Object.entries(tags).map(([name, content]) => `<meta property="${name}" content="${content}" />`);
  const link = canonical === undefined ? '' : `<link rel="canonical" href="${canonical}" />`;
  const failed =
    '{"data":null,"errors":[{"path":["xdt_api__v1__media__shortcode__web_info"]}],"extensions":{"is_final":true}}';
  return `<html><head>${metas.join('')}${link}<title>Instagram</title></head><body><script type="application/json">${failed}</script></body></html>`;
}
