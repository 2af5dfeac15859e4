import { fieldLabel } from './field-labels.ts';

/** The columns of the table that the API route /v1/workflows/profile returns, in the order of the server. */
const knownFields = [
  'url',
  'status',
  'platform',
  'account_id',
  'username',
  'display_name',
  'followers',
  'followers_quality',
  'following',
  'posts',
  'likes',
  'total_views',
  'verified',
  'private',
  'category',
  'country',
  'language',
  'bio',
  'external_url',
  'avatar_url',
  'created_at_platform',
  'profile_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;

type Field = (typeof knownFields)[number];

/**
 * The columns of the tables that the API routes /v1/workflows/post and /v1/workflows/posts return, in the order of the
 * server.
 */
const knownPostFields = [
  'url',
  'status',
  'platform',
  'id',
  'permalink',
  'author',
  'author_id',
  'published_at',
  'title',
  'caption',
  'media_type',
  'views',
  'likes',
  'comments',
  'shares',
  'favorites',
  'counts_quality',
  'duration_seconds',
  'hashtags',
  'media_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;

/**
 * The columns of an API route. `known`: all columns. `usual`: the columns that a formula shows when the user names
 * none.
 */
export type Columns<Name extends string = string> = { known: readonly Name[]; usual: readonly Name[] };

export const profileColumns: Columns<Field> = {
  known: knownFields,
  usual: ['username', 'display_name', 'followers', 'following', 'posts', 'likes', 'total_views', 'verified'],
};

/**
 * The columns of posts. The default columns include `url`, the requested URL, because a formula can list the posts of
 * several profiles.
 */
export const postColumns: Columns<(typeof knownPostFields)[number]> = {
  known: knownPostFields,
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

/**
 * Returns the word when it is in the list of allowed words. `what`: the kind of word, such as "field", for the error
 * message.
 *
 * @throws Error with the most similar allowed word when the word is not in the list.
 */
export function knownWord<Name extends string>(word: string, known: readonly Name[], what: string): Name {
  const name = known.find((one) => one === word);
  if (name !== undefined) return name;
  throw new Error(
    `There is no ${what} "${word}". Did you mean "${nearest(word, known)}"? The ${what}s are ${known.join(', ')}.`,
  );
}

/** Returns the choice with the smallest edit distance to the word. */
export function nearest(word: string, choices: readonly string[]): string {
  const ranked = choices.map((choice) => ({ choice, edits: editDistance(word, choice) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).choice;
}

function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = cost(above, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, cost(above, column) + 1, cost(line, column - 1) + 1));
    }
    above = line;
  }
  return cost(above, to.length);
}

function cost(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}
