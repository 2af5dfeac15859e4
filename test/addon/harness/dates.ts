const dayMs = 86_400_000;
/** Days from 1899-12-30 (day 0 in spreadsheets) to 1970-01-01. */
const daysBeforeUnix = 25_569;

/** Returns true when a number format such as `yyyy-mm-dd` shows a number as a date or a time. */
export function isDateFormat(pattern: string | undefined): boolean {
  return pattern !== undefined && /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\[[^\]]*\]/g, '').replace(/general/i, ''));
}

/** Converts a day number to a time (Unix ms). Needs the file's time zone, because date cells have no zone. */
export function momentOf(serial: number, timeZone: string): number {
  const wallMs = Math.round((serial - daysBeforeUnix) * dayMs);
  const guess = wallMs - offsetAt(wallMs, timeZone);
  return wallMs - offsetAt(guess, timeZone);
}

/** Converts a time (Unix ms) to a spreadsheet day number in a time zone. */
export function serialOf(momentMs: number, timeZone: string): number {
  return (momentMs + offsetAt(momentMs, timeZone)) / dayMs + daysBeforeUnix;
}

/** Formats a day number as text. The pattern may contain years, months, days, hours, minutes and seconds. */
export function shownDate(serial: number, pattern: string): string {
  const iso = new Date(Math.round((serial - daysBeforeUnix) * dayMs)).toISOString();
  const parts: Record<string, string> = {
    ...{ yyyy: iso.slice(0, 4), mm: iso.slice(5, 7), dd: iso.slice(8, 10) },
    ...{ hh: iso.slice(11, 13), min: iso.slice(14, 16), ss: iso.slice(17, 19) },
  };
  return pattern.replace('hh:mm', 'hh:min').replace(/yyyy|min|mm|dd|hh|ss/g, (part) => parts[part] ?? part);
}

function offsetAt(momentMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const part = Object.fromEntries(format.formatToParts(momentMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(momentMs / 1000) * 1000;
}
