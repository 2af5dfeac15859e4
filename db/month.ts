/** Returns the first day of the UTC month that contains this time, as `YYYY-MM-01`. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
