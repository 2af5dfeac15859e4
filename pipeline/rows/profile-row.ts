import { dataIn, metaIn, type ReadAnswer } from '../collect/stored-answer.ts';
import { profileColumns } from './columns.ts';
import type { Platform } from './profile-address.ts';

export type Cell = string | number | boolean | null;

export type ProfileColumn = (typeof profileColumns)[number];
export type ProfileRow = Record<ProfileColumn, Cell>;

/**
 * Maps a column to the record fields that can fill it, for columns whose name is not the name of the field. The first
 * field with a value is used.
 */
const renamed: Partial<Record<ProfileColumn, string[]>> = {
  account_id: ['id'],
  country: ['country_code', 'region'],
  language: ['language', 'default_language'],
};

/** Returns a row about a profile in which only the URL and the platform are filled, with a cost of 0 credits. */
export function blankRow(url: string, platform: Platform | null): ProfileRow {
  const blank = Object.fromEntries(profileColumns.map((column) => [column, null])) as ProfileRow;
  return { ...blank, url, platform, cached: false, credits_charged: 0 };
}

/** Returns the filled row for an answer that contains one profile. */
export function answeredRow(blank: ProfileRow, { metering, ...read }: RowSource): ProfileRow {
  const { profile } = dataIn(read) as { profile: Record<string, unknown> };
  const { retrieved_at, quality, warnings } = metaIn(read);
  const { cached, credits_charged } = metering;
  const row = { ...blank };
  for (const column of profileColumns) row[column] = cellOf(profile, column) ?? row[column];
  const followersQuality = quality.followers ?? (profile.followers === null ? null : 'exact');
  const message = warnings.length > 0 ? warnings.join('; ') : null;
  return { ...row, status: 'OK', followers_quality: followersQuality, retrieved_at, cached, credits_charged, message };
}

/** The answer from which a result row is made, and its cost in credits. */
export interface RowSource extends ReadAnswer {
  metering: { cached: boolean; credits_charged: number };
}

/**
 * Returns the row for a profile or post that could not be fetched. `status` contains the error code and `message` the
 * error text.
 */
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
