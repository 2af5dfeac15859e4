export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
