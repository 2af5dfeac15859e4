/** The columns of the profile workflow, in the server's order. */
export const knownFields = [
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

export type Field = (typeof knownFields)[number];

/** The columns of the post workflows, in the server's order. */
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

/** The columns that a route has, and those that are shown when none are asked for. */
export type Columns<Name extends string = string> = { known: readonly Name[]; usual: readonly Name[] };

export const profileColumns: Columns<Field> = {
  known: knownFields,
  usual: ['username', 'display_name', 'followers', 'following', 'posts', 'likes', 'total_views', 'verified'],
};

/** `url` tells whose a post is where posts of several profiles stand below each other. */
export const postColumns: Columns<(typeof knownPostFields)[number]> = {
  known: knownPostFields,
  usual: ['url', 'published_at', 'title', 'caption', 'views', 'likes', 'comments', 'shares', 'permalink'],
};

/**
 * The columns of the result: `status`, then what was asked in the order asked, each once.
 *
 * @param asked `"followers,posts"`, a range of headings (`Display name` is `display_name`), or nothing for the usual ones.
 * @throws Error naming the nearest known field: a typo must not cost a request.
 */
export function readFields<Name extends string>(asked: unknown, { known, usual }: Columns<Name>): (Name | 'status')[] {
  const fields = readWords(asked).map((word) => knownWord(word, known, 'field'));
  return [...new Set<Name | 'status'>(['status', ...(fields.length === 0 ? usual : fields)])];
}

/** The words of a comma list or of a range, as names are written: `Display name` is `display_name`. */
export function readWords(asked: unknown): string[] {
  return [asked]
    .flat(2)
    .flatMap((part) => (part === null || part === undefined ? [] : String(part).split(/[,;]/)))
    .map((word) => word.trim().toLowerCase().replace(/\s+/g, '_'))
    .filter((word) => word !== '');
}

/** @throws Error naming the nearest known word; `what` is the word's kind, in the singular. */
export function knownWord<Name extends string>(word: string, known: readonly Name[], what: string): Name {
  const name = known.find((one) => one === word);
  if (name !== undefined) return name;
  throw new Error(
    `There is no ${what} "${word}": did you mean "${nearest(word, known)}"? The ${what}s are ${known.join(', ')}.`,
  );
}

/** The choice that takes the fewest typed characters to reach from the word. */
export function nearest(word: string, choices: readonly string[]): string {
  const ranked = choices.map((choice) => ({ choice, edits: editsBetween(word, choice) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).choice;
}

function editsBetween(from: string, to: string): number {
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
