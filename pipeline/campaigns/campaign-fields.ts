import { dayOf, isDay } from '../../db/calendar.ts';
import type { NewCampaign } from '../../db/campaigns/campaigns.ts';
import { dayMs } from '../../db/durations.ts';
import type { Tier } from '../../db/tier.ts';
import { isOneLine } from '../parse/text.ts';
import { startOf } from '../report/period.ts';
import { maxHistoryDays, tiers } from '../tiers.ts';

export const maxNameLength = 120;
const maxDaysAhead = 3_650;

type CampaignErrorCode = 'INVALID_INPUT' | 'RESOURCE_NOT_FOUND' | 'PAID_ACCESS_REQUIRED';

/**
 * Error that explains why a campaign (a named group of tracked accounts and posts with a weekly report) was not created
 * or changed. `message` is one sentence for the user.
 */
export class CampaignError extends Error {
  override readonly name = 'CampaignError';
  readonly code: CampaignErrorCode;
  /** The campaign field that is invalid. Null when the error is not about one field. */
  readonly field: keyof NewCampaign | null;

  constructor(code: CampaignErrorCode, message: string, field: keyof NewCampaign | null = null) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Returns the error for an invalid value. `field` is null when the error is not about one field. */
export function invalid(message: string, field: keyof NewCampaign | null = null): CampaignError {
  return new CampaignError('INVALID_INPUT', message, field);
}

/**
 * Returns the name without spaces at its start and end. Throws CampaignError when the name is empty, is too long or has
 * several lines.
 */
export function readName(name: string, field: 'name' | 'report_name' = 'name'): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= maxNameLength && isOneLine(trimmed)) return trimmed;
  throw invalid(`A name must have 1 to ${maxNameLength} characters on one line.`, field);
}

/**
 * Returns the trimmed name for printed reports; null when it is empty. Throws CampaignError when the name is invalid or
 * the tier does not allow a custom name.
 */
export function readReportName(reportName: string | null, tier: Tier): string | null {
  if (reportName === null || reportName.trim() === '') return null;
  if (!tiers[tier].report_name) throw invalid('A custom report name needs the tier Pro Max or Ultra.', 'report_name');
  return readName(reportName, 'report_name');
}

/** Returns the first and last day of a new campaign. Throws CampaignError when one of them is invalid. */
export function readDates({ starts_on, ends_on }: { starts_on: string; ends_on: string | null }, now: Date) {
  checkStart(starts_on, now);
  if (ends_on !== null) checkEnd(ends_on, starts_on, now);
  return { starts_on, ends_on };
}

/**
 * Throws CampaignError when the first day is not a date, is older than the longest history, or is too far in the
 * future.
 */
export function checkStart(startsOn: string, now: Date): void {
  checkDay('starts_on', startsOn);
  const earliest = dayOf(now.getTime() - maxHistoryDays * dayMs);
  if (startsOn < earliest)
    throw invalid(`starts_on must not be before ${earliest}: older history is not kept.`, 'starts_on');
  checkAhead('starts_on', startsOn, now);
}

/**
 * Throws CampaignError when the last day is not a date, is before the first day or in the past, or is too far in the
 * future.
 */
export function checkEnd(endsOn: string, startsOn: string, now: Date): void {
  checkDay('ends_on', endsOn);
  if (endsOn < startsOn) throw invalid('ends_on must not be before starts_on.', 'ends_on');
  if (endsOn < dayOf(now.getTime()))
    throw invalid('ends_on must not be in the past: choose today or a later day.', 'ends_on');
  checkAhead('ends_on', endsOn, now);
}

function checkDay(name: 'starts_on' | 'ends_on', day: string): void {
  if (!isDay(day)) throw invalid(`${name} must be a real date in the form YYYY-MM-DD.`, name);
}

function checkAhead(name: 'starts_on' | 'ends_on', day: string, now: Date): void {
  if (startOf(day) - now.getTime() > maxDaysAhead * dayMs)
    throw invalid(`${name} must be at most ten years after today.`, name);
}
