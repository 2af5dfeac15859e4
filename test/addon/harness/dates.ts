const dayMs = 86_400_000;
/** Days from 1899-12-30, the day 0 of spreadsheets, to 1970-01-01. */
const daysBeforeUnix = 25_569;

/** Returns true when a pattern shows a number as a date or a time. */
export function isDateFormat(pattern: string | undefined): boolean {
  return pattern !== undefined && /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\[[^\]]*\]/g, '').replace(/general/i, ''));
}

/** The moment (Unix ms) that a day number is in a zone: a cell with a date has no zone of its own. */
export function momentOf(serial: number, timeZone: string): number {
  const wallMs = Math.round((serial - daysBeforeUnix) * dayMs);
  const guess = wallMs - offsetAt(wallMs, timeZone);
  return wallMs - offsetAt(guess, timeZone);
}

/** The day number that shows a moment (Unix ms) in a zone. */
export function serialOf(momentMs: number, timeZone: string): number {
  return (momentMs + offsetAt(momentMs, timeZone)) / dayMs + daysBeforeUnix;
}

/** How a day number is shown by a pattern of years, months, days, hours, minutes and seconds. */
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
