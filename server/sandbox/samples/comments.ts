import type { Comment } from '../../../pipeline/records/shared.ts';
import { caption, daysEarlier, media, pad } from './invented.ts';

/** The values that differ between platforms in a sample comment. */
export interface CommentContext {
  site: 'photo' | 'shortvideo' | 'longvideo';
  content_id: string;
  /** Returns the id of the comment in the row `index`, counted from 0. */
  idOf: (index: number) => string;
  /** Returns the id of the comment's author in the row `index`, counted from 0. */
  authorIdOf: (index: number) => string;
  /** Id of the comment that these comments reply to. Null for top-level comments. */
  parent_comment_id: string | null;
  /** True when comments on this platform can have a picture. */
  pictures: boolean;
  /** True when comments on this platform state the time of the last edit. */
  edits: boolean;
}

/**
 * Returns one sample comment. The author of row 2 has deleted the account. If comments on the platform can have
 * pictures, every sixth comment has a picture.
 */
export function commentRow(context: CommentContext, index: number): Comment {
  const username = `sample.reader${pad(index)}`;
  const publishedAt = daysEarlier(0, index);
  const isDeleted = index === 2;
  return {
    id: context.idOf(index),
    content_id: context.content_id,
    parent_comment_id: context.parent_comment_id,
    text: caption(index + 1).text,
    likes: (index * 37) % 211,
    reply_count: context.parent_comment_id === null ? (index * 7) % 24 : null,
    author_id: isDeleted ? null : context.authorIdOf(index),
    author_username: isDeleted ? null : username,
    author_display_name: isDeleted ? null : `Sample Reader ${pad(index)}`,
    author_avatar_url: isDeleted ? null : media(`avatars/${username}.jpg`),
    author_profile_url: isDeleted ? null : `https://${context.site}.example.com/@${username}`,
    published_at: publishedAt,
    updated_at: context.edits ? publishedAt : null,
    ...(context.pictures && index % 6 === 0 ? picture(index) : noPicture),
  };
}

const noPicture = { image_url: null, image_url_retrieved_at: null, image_url_expires_at: null };

/** Returns the fields for the picture of a comment. The URL of the picture expires six hours after it was retrieved. */
function picture(index: number) {
  return {
    image_url: media(`comments/${pad(index)}.jpg?signature=invented`),
    image_url_retrieved_at: '2026-03-01T12:00:00.000Z',
    image_url_expires_at: '2026-03-01T18:00:00.000Z',
  };
}
