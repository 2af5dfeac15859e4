// This file must not import anything, because `npm run docs` copies it into the Google Sheets add-on.

const otherTimes: readonly string[] = ['created_at_platform', 'period_start', 'period_end', 'day'];

/** Returns true when the column with this name contains times, as ISO 8601 text or Unix milliseconds. */
export function isTimeColumn(column: string): boolean {
  return column.endsWith('_at') || otherTimes.includes(column);
}

const uppercaseParts: Readonly<Record<string, string>> = { url: 'URL', id: 'ID', utc: 'UTC' };

/** Returns the heading of a column for people: `account_id` becomes `Account ID`, `retrieved_at` becomes `Retrieved at (UTC)`. `total_views` counts all views of a channel, so it becomes `Channel views`. */
export function fieldLabel(column: string): string {
  const parts = column
    .replace(/^created_at_platform$/, 'created_on_platform')
    .replace(/^total_views/, 'channel_views')
    .replace(/_percent$/, ' (%)')
    .split(/[_ ]/)
    .map((part) => uppercaseParts[part] ?? part);
  const label = parts.join(' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}${isTimeColumn(column) ? ' (UTC)' : ''}`;
}
