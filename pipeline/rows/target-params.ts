import type { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, UrlResult } from '../parse/urls.ts';

type TargetOf<Parse extends (url: string) => UrlResult<unknown>> = Extract<ReturnType<Parse>, { ok: true }>['target'];
type PhotoTarget = TargetOf<typeof parsePhotoUrl>;
type ShortvideoTarget = TargetOf<typeof parseShortvideoUrl>;
type LongvideoTarget = TargetOf<typeof parseLongvideoUrl>;

/**
 * For each platform, a function that returns the parameters with which the profile at a URL is requested. The function
 * returns null when the URL does not lead to a profile.
 */
export const profileTargetParams = {
  photo: (target: PhotoTarget) => (target.kind === 'profile' ? { handle: target.handle } : null),
  shortvideo: (target: ShortvideoTarget) => (target.kind === 'profile' ? { handle: target.handle } : null),
  longvideo(target: LongvideoTarget) {
    if (target.kind !== 'channel') return null;
    const { kind: _, ...by } = target;
    return by;
  },
};

/**
 * For each platform, a function that returns the parameters with which the post or video at a URL is requested. The
 * function returns null when the URL does not lead to a post or video.
 */
export const postTargetParams = {
  photo: (target: PhotoTarget) =>
    target.kind === 'post' ? { shortcode: target.shortcode, author: target.author } : null,
  shortvideo: (target: ShortvideoTarget) => (target.kind === 'video' ? { id: target.id } : null),
  longvideo: (target: LongvideoTarget) => (target.kind === 'video' ? { id: target.id } : null),
};
