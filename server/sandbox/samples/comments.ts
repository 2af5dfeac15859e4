import type { Comment } from '../../../pipeline/records/shared.ts';
import { caption, daysEarlier, media, pad } from './invented.ts';

/** What differs between the comments of one platform and another's. */
export interface CommentPlace {
  site: 'photo' | 'shortvideo' | 'longvideo';
  content_id: string;
  /** The id of row 0, 1, … */
  idOf: (index: number) => string;
  /** The id of the author of row 0, 1, … */
  authorIdOf: (index: number) => string;
  /** Set for a list of replies. */
  parent_comment_id: string | null;
  /** Whether a comment of this platform can carry a picture and be edited. */
  pictures: boolean;
}

/** Row `index` of a list of comments: row 2 by a deleted account, every sixth with a picture where there are pictures. */
export function commentRow(place: CommentPlace, index: number): Comment {
  const username = `sample.reader${pad(index)}`;
  const publishedAt = daysEarlier(0, index);
  const gone = index === 2;
  return {
    id: place.idOf(index),
    content_id: place.content_id,
    parent_comment_id: place.parent_comment_id,
    text: caption(index + 1).text,
    likes: (index * 37) % 211,
    reply_count: place.parent_comment_id === null ? (index * 7) % 24 : null,
    author_id: gone ? null : place.authorIdOf(index),
    author_username: gone ? null : username,
    author_display_name: gone ? null : `Sample Reader ${pad(index)}`,
    author_avatar_url: gone ? null : media(`avatars/${username}.jpg`),
    author_profile_url: gone ? null : `https://${place.site}.example.com/@${username}`,
    published_at: publishedAt,
    updated_at: place.pictures ? publishedAt : null,
    ...(place.pictures && index % 6 === 0 ? picture(index) : noPicture),
  };
}

const noPicture = { image_url: null, image_url_retrieved_at: null, image_url_expires_at: null };

/** A signed address ends six hours after it was retrieved. */
function picture(index: number) {
  return {
    image_url: media(`comments/${pad(index)}.jpg?signature=invented`),
    image_url_retrieved_at: '2026-03-01T12:00:00.000Z',
    image_url_expires_at: '2026-03-01T18:00:00.000Z',
  };
}
