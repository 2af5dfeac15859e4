import type { SourceCursor } from '../collect.ts';
import { limit_max } from '../page.ts';
import { dig, toCount, toList, toText } from '../parse.ts';

interface CursorParam {
  source: string;
  at: SourceCursor;
}

/** A page of a list as its source cuts it: its rows, and the token of the page behind it. */
export interface Page {
  rows: unknown[];
  token: string | null;
  /** The token of this page itself, where the first page has one. */
  own_token?: string;
}

/**
 * At most `limit` rows of a list whose pages may have a size of their own. The cursor names the page by its token and how many
 * of its rows were given out, so that nothing is kept between requests: a page is asked for again until it is used up.
 */
export async function pageRows(
  cursor: CursorParam | null,
  limit: number,
  ask: (token: string | null) => Promise<Page>,
): Promise<{ rows: unknown[]; next: SourceCursor | null }> {
  const token = toText(cursor?.at.token);
  const skip = toCount(cursor?.at.skip) ?? 0;
  const page = await ask(token);
  const rows = page.rows.slice(skip, skip + limit);
  if (page.rows.length > skip + limit) return { rows, next: { token: page.own_token ?? token, skip: skip + limit } };
  return { rows, next: page.token === null ? null : { token: page.token, skip: 0 } };
}

/** A page of the official source. */
export function officialPage(answer: unknown): Page {
  return { rows: toList(dig(answer, 'items')) ?? [], token: toText(dig(answer, 'nextPageToken')) };
}

/** The parameters of the official page with this token; the first page has none. */
export function pageParams(limit: number, token: string | null): { maxResults: number; pageToken?: string } {
  const maxResults = Math.min(limit, limit_max);
  return token === null ? { maxResults } : { maxResults, pageToken: token };
}

/** The rows of a web list, and the token in its last entry; entries that `row` does not know are left out. */
export function webPage(entries: unknown, row: (entry: unknown) => unknown): Page {
  const list = toList(entries) ?? [];
  const tokens = list.map(continuationToken).filter((token) => token !== null);
  return { rows: list.map(row).filter((entry) => entry !== undefined), token: tokens.at(-1) ?? null };
}

/** The entries that a continuation appended. */
export function appended(answer: unknown, member: string): unknown[] {
  const actions = toList(dig(answer, member)) ?? [];
  return actions.flatMap((action) => toList(dig(action, 'appendContinuationItemsAction', 'continuationItems')) ?? []);
}

/** The token of a continuation entry, also where it hides in a list of commands or behind a button. */
export function continuationToken(entry: unknown): string | null {
  const item = dig(entry, 'continuationItemRenderer');
  const command = dig(item, 'continuationEndpoint') ?? dig(item, 'button', 'buttonRenderer', 'command');
  const commands = [command, ...(toList(dig(command, 'commandExecutorCommand', 'commands')) ?? [])];
  return (
    commands.map((one) => toText(dig(one, 'continuationCommand', 'token'))).find((token) => token !== null) ?? null
  );
}
