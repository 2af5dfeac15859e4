import { fieldLabel } from '../formulas/field-labels.ts';

const platformNames: Record<string, string> = { photo: 'Instagram', shortvideo: 'TikTok', longvideo: 'YouTube' };
const kindNames: Record<string, string> = { profile: 'Account' };
const qualityLabels: Record<string, string> = {
  rounded: '≈ rounded by the platform',
  hidden: 'hidden by the account',
  not_exposed: 'not shown',
};
const statusLabels: Record<string, string> = {
  active: 'Checked daily',
  paused: 'Paused',
  identity_changed: 'The handle now belongs to another account',
};
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/**
 * Returns the name of a platform as people say it: "Instagram" for `photo`, "TikTok" for `shortvideo`, "YouTube" for
 * `longvideo`.
 */
export function platformName(platform: unknown): string {
  return platformNames[String(platform)] ?? fieldLabel(String(platform));
}

/** Returns the kind of a tracked item in words, such as "Account" or "Video". */
export function kindName(kind: unknown): string {
  return kindNames[String(kind)] ?? fieldLabel(String(kind));
}

export function statusLabel(status: unknown): string {
  return statusLabels[String(status)] ?? fieldLabel(String(status));
}

/**
 * Returns a word that says why a number is not exact or is missing. Returns "unknown" when the report gives no reason.
 */
export function qualityLabel(quality: unknown): string {
  return qualityLabels[String(quality)] ?? 'unknown';
}

/** Returns a number as text, rounded to a whole number, with thousands separators: 1,300,000. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a period of time as people write it: "9 to 15 November 2026 (UTC)". `endAt` is exclusive. */
export function periodText(startAt: number, endAt: number): string {
  const first = new Date(startAt);
  const last = new Date(endAt - 1);
  const firstParts = [dayAndMonth(first), first.getUTCFullYear()];
  if (first.getUTCFullYear() === last.getUTCFullYear()) firstParts.pop();
  const sameMonth = firstParts.length === 1 && first.getUTCMonth() === last.getUTCMonth();
  const from = sameMonth ? first.getUTCDate() : firstParts.join(' ');
  return `${from} to ${dayAndMonth(last)} ${last.getUTCFullYear()} (UTC)`;
}

function dayAndMonth(date: Date): string {
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`;
}

/** Splits a text between words into lines, because a long text in one cell would be wider than the report. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < maxLineCharacters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const maxLineCharacters = 125;
