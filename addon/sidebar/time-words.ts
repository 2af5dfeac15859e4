/** A time, as Unix ms or as text, in the reader's own zone; what is no time stays as it is. */
export function timeWords(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
