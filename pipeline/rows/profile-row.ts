import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { AnswerMeta } from '../collect/stored-answer.ts';
import type { Platform } from './profile-address.ts';

export type Cell = string | number | boolean | null;

/** Columns of a profile row. They are the same for every platform and have the same order, so that rows can be appended to one sheet. */
export const profileColumns = [
  'url',
  'status',
  'platform',
  'account_id',
  'username',
  'display_name',
  'followers',
  'followers_quality',
  'following',
  'posts',
  'likes',
  'total_views',
  'verified',
  'private',
  'category',
  'country',
  'language',
  'bio',
  'external_url',
  'avatar_url',
  'created_at_platform',
  'profile_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;
export type ProfileColumn = (typeof profileColumns)[number];
export type ProfileRow = Record<ProfileColumn, Cell>;

/** Maps a column whose name is not a field name to the fields that can have its value. The first field with a value is used. */
const renamed: Partial<Record<ProfileColumn, string[]>> = {
  account_id: ['id'],
  country: ['country_code', 'region'],
  language: ['language', 'default_language'],
};

/** Returns a row in which only the URL and the platform are filled. It costs 0 credits. */
export function blankRow(url: string, platform: Platform | null): ProfileRow {
  const blank = Object.fromEntries(profileColumns.map((column) => [column, null])) as ProfileRow;
  return { ...blank, url, platform, cached: false, credits_charged: 0 };
}

/** Returns the row for an answer that contains one profile. */
export function answeredRow(blank: ProfileRow, { answer, metering }: RowSource): ProfileRow {
  const { profile } = JSON.parse(answer.body) as { profile: Record<string, unknown> };
  const { retrieved_at, quality, warnings } = JSON.parse(answer.meta) as AnswerMeta;
  const { cached, credits_charged } = metering;
  const row = { ...blank };
  for (const column of profileColumns) row[column] = cellOf(profile, column) ?? row[column];
  const followersQuality = quality.followers ?? (profile.followers === null ? null : 'exact');
  const message = warnings.length > 0 ? warnings.join('; ') : null;
  return { ...row, status: 'OK', followers_quality: followersQuality, retrieved_at, cached, credits_charged, message };
}

/** An answer from which rows are made, and what it cost. */
export interface RowSource {
  answer: StoredAnswer;
  metering: { cached: boolean; credits_charged: number };
}

/** Returns the row for a profile or post that failed, with the error in `status` and `message`. */
export function refusedRow<R extends object>(blank: R, { code, message }: { code: string; message: string }): R {
  return { ...blank, status: code, message };
}

function cellOf(profile: Record<string, unknown>, column: ProfileColumn): Cell {
  for (const field of renamed[column] ?? [column]) {
    const value = profile[field];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  }
  return null;
}
