import type { unreadKeys } from '../../parse/bounded-json.ts';
import { jsonAt } from '../../parse/values.ts';

/**
 * Maximum number of JSON fields with the same name that are read from an Instagram page. A name can occur more than
 * once, because a page also contains data of other posts.
 */
const maxMatches = 50;

/**
 * Yields the value of each JSON field with the name `member` in an HTML page, if the value is an object or null. Does
 * not search inside yielded values, so that no byte is parsed twice. The values of the keys `unread` are not read.
 */
export function* membersNamed(
  page: Buffer,
  member: string,
  unread: ReturnType<typeof unreadKeys>,
): Generator<unknown, void> {
  const marker = `"${member}"`;
  let at = page.indexOf(marker);
  for (let matches = 0; at !== -1 && matches < maxMatches; matches++) {
    let end = at + marker.length;
    const [before = '', first] = /^\s*:\s*([{n])/.exec(page.toString('latin1', end, end + 32)) ?? [];
    if (first === 'n') yield null;
    if (first === '{') {
      const found = jsonAt(page, end + before.length - 1, unread);
      yield found.value;
      end = found.end;
    }
    at = page.indexOf(marker, end);
  }
}
