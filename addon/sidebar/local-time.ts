/** Returns a time (Unix ms or text) in the user's time zone and language. A text that is not a time stays unchanged. */
export function localTime(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
