import { knownWord } from '../known-word.ts';
import { fieldLabel } from './field-labels.ts';
import * as columns from './rows/columns.ts';

/**
 * The columns of an API route. `known`: all columns. `usual`: the columns that a formula shows when the user names
 * none.
 */
export type Columns<Name extends string = string> = { known: readonly Name[]; usual: readonly Name[] };

export const profileColumns: Columns<(typeof columns.profileColumns)[number]> = {
  known: columns.profileColumns,
  usual: ['username', 'display_name', 'followers', 'following', 'posts', 'likes', 'total_views', 'verified'],
};

/**
 * The columns of posts. The default columns include `url`, the requested URL, because a formula can list the posts of
 * several profiles.
 */
export const postColumns: Columns<(typeof columns.postColumns)[number]> = {
  known: columns.postColumns,
  usual: ['url', 'published_at', 'title', 'caption', 'views', 'likes', 'comments', 'shares', 'permalink'],
};

/**
 * Reads the argument `fields` of a formula. Returns the columns of the result: `status`, then the requested fields in
 * the requested order, without repeats.
 *
 * @param input `"followers,posts"`, a range of headings (`Display name` means `display_name`), or nothing for the
 * default fields.
 * @throws Error with the most similar field name when a name is unknown. No request is sent, so that a typing mistake
 * costs no credits.
 */
export function readFields<Name extends string>(input: unknown, { known, usual }: Columns<Name>): (Name | 'status')[] {
  const labels = new Map(known.map((name) => [readNames(fieldLabel(name))[0], name]));
  const fields = readNames(input).map((word) => labels.get(word) ?? knownWord(word, known, 'field'));
  return [...new Set<Name | 'status'>(['status', ...(fields.length === 0 ? usual : fields)])];
}

/**
 * Splits a comma-separated list, or reads the cells of a range. Returns each entry in snake_case: `Display name`
 * becomes `display_name`, and `Retrieved at (UTC)` becomes `retrieved_at`.
 */
export function readNames(input: unknown): string[] {
  return [input]
    .flat(2)
    .flatMap((part) => (part === null || part === undefined ? [] : String(part).split(/[,;]/)))
    .map((word) =>
      word
        .trim()
        .toLowerCase()
        .replace(/\s*\(utc\)$/, '')
        .replace(/\s+/g, '_'),
    )
    .filter((word) => word !== '');
}
