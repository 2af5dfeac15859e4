import type { Source, SourceAnswer, SourceContext } from '../../collect/collect.ts';
import type { ReadRows } from '../../collect/source-rows.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { privateAccount, responseChanged, SourceError } from '../../errors.ts';
import { shortvideoHandleFormat } from '../../parse/identifiers.ts';
import { dig, toText } from '../../parse/values.ts';
import type { ShortvideoItem, ShortvideoProfile } from '../../records/shortvideo.ts';
import { readCounts } from '../counts.ts';
import { servedWithoutData } from '../page.ts';
import type { ShortvideoProfileParams, ShortvideoVideosParams } from '../params.ts';
import { sharedProfile } from '../profile-fields.ts';
import { embedRows, notInRows, type Row, rowsAnswer } from './rows.ts';
import { embedEntry } from './state.ts';

/**
 * Collects a TikTok profile from the embed page of the account, which is made for other websites. The page has only a
 * few fields.
 */
export const creatorEmbed: Source<ShortvideoProfileParams, ShortvideoProfile> = {
  name: 'tiktok-embed',
  credentials: null,
  not_exposed: ['posts', 'region', 'language', 'external_url'],
  async collect({ handle }, context) {
    const entry = await creatorEntry(handle, context);
    return profileAnswer(dig(entry, 'userInfo'));
  },
};

/**
 * Collects the latest videos from the embed page of a TikTok account. The page has about ten videos, pinned ones first.
 */
export const creatorEmbedVideos: Source<ShortvideoVideosParams, ShortvideoItem[]> = {
  name: 'tiktok-embed',
  credentials: null,
  not_exposed: notInRows,
  async collect({ handle, limit, cursor }, context) {
    const entry = await creatorEntry(handle, context);
    const user = dig(entry, 'userInfo');
    const { record: profile } = profileAnswer(user);
    const rows = embedRows(entry, {
      author: profile.username,
      author_id: profile.id,
      author_display_name: profile.display_name,
      author_verified: profile.verified,
      author_avatar_url: profile.avatar_url,
    });
    if (profile.private === true && rows.rows.length === 0) throw privateAccount();
    return pageAfter(rows, cursor === null ? null : cursor.at.after, limit);
  },
};

async function creatorEntry(name: string, context: SourceContext): Promise<unknown> {
  const handle = shortvideoHandleFormat.normalize(name);
  const entry = await embedEntry('/embed/@', handle, context);
  if (entry === undefined) throw servedWithoutData();
  if (toText(dig(entry, 'userInfo', 'uniqueId'))?.toLowerCase() !== handle) {
    throw responseChanged('the embed shows another account or none');
  }
  return entry;
}

const shortProfile = 'TikTok shows a short profile: it has no post count, link, region or language.';
const countKeys = { followers: 'followerCount', following: 'followingCount', likes: 'heartCount' } as const;

function profileAnswer(user: unknown): SourceAnswer<ShortvideoProfile> {
  const { counts, quality } = readCounts(countKeys, user);
  const record: ShortvideoProfile = { ...sharedProfile(user, ['avatarThumbUrl']), ...counts };
  return { record, quality, ...partialBecause(shortProfile) };
}

/**
 * Returns at most `limit` videos after the video with the ID `after` (null: from the first video). The list is fetched
 * again for each page. Throws INVALID_INPUT when the list no longer contains that video.
 */
function pageAfter({ rows, unread }: ReadRows<Row>, after: unknown, limit: number): SourceAnswer<ShortvideoItem[]> {
  const anchor = rows.findIndex(({ record }) => record.id === after);
  if (after !== null && anchor === -1) {
    const message = 'The row before this cursor is no longer in the list: start again without cursor.';
    throw new SourceError('INVALID_INPUT', { message });
  }
  const page = rows.slice(anchor + 1, anchor + 1 + limit);
  const last = page.at(-1);
  return rowsAnswer(
    { rows: page, unread },
    last === undefined || last === rows.at(-1) ? null : { after: last.record.id },
  );
}
