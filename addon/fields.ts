/** The columns of the profile workflow, in the server's order. */
export const known_fields = [
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

export type Field = (typeof known_fields)[number];

const usual_fields: readonly Field[] = [
  'username',
  'display_name',
  'followers',
  'following',
  'posts',
  'likes',
  'total_views',
  'verified',
];

/**
 * The columns of the result: `status`, then what was asked in the order asked, each once.
 *
 * @param asked `"followers,posts"`, a range of headings (`Display name` is `display_name`), or nothing for the usual fields.
 * @throws Error naming the nearest known field: a typo must not cost a request.
 */
export function readFields(asked: unknown): Field[] {
  const words = [asked]
    .flat(2)
    .flatMap((part) => (part === null || part === undefined ? [] : String(part).split(',')))
    .map((word) => word.trim().toLowerCase().replace(/\s+/g, '_'))
    .filter((word) => word !== '');
  const fields = words.length === 0 ? usual_fields : words.map(knownField);
  return [...new Set<Field>(['status', ...fields])];
}

function knownField(word: string): Field {
  const field = known_fields.find((known) => known === word);
  if (field !== undefined) return field;
  throw new Error(
    `There is no field "${word}": did you mean "${nearest(word, known_fields)}"? The fields are ${known_fields.join(', ')}.`,
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
