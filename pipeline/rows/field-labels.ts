// This file must not import anything, because `npm run docs` copies the file into the Google Sheets add-on.

const otherTimes: readonly string[] = ['created_at_platform', 'period_start', 'period_end', 'day'];

/** Returns true when the column with this name contains times, as ISO 8601 text or Unix milliseconds. */
export function isTimeColumn(column: string): boolean {
  return column.endsWith('_at') || otherTimes.includes(column);
}

const uppercaseParts: Readonly<Record<string, string>> = { url: 'URL', id: 'ID', utc: 'UTC' };

/**
 * Returns the heading of a column for people: `account_id` becomes `Account ID`, `retrieved_at` becomes
 * `Retrieved at (UTC)`, and `followers_quality` becomes `Followers: exact or rounded`. `total_views` counts all views
 * of a channel, so it becomes `Channel views`.
 */
export function fieldLabel(column: string): string {
  if (column === 'quality') return 'Exact or rounded';
  if (column.endsWith('_quality')) return `${fieldLabel(column.slice(0, -'_quality'.length))}: exact or rounded`;
  const name = column.replace(/^created_at_platform$/, 'account_created').replace(/^total_views/, 'channel_views');
  return plainLabel(name, column);
}

/** Returns the heading that earlier versions of Tidemark gave a column. */
export function formerLabel(column: string): string {
  return plainLabel(column === 'created_at_platform' ? 'created_on_platform' : column, column);
}

function plainLabel(name: string, column: string): string {
  const parts = name
    .replace(/_percent$/, ' (%)')
    .split(/[_ ]/)
    .map((part) => uppercaseParts[part] ?? part);
  const label = parts.join(' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}${isTimeColumn(column) ? ' (UTC)' : ''}`;
}
