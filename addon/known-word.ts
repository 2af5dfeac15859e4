/**
 * Other words that people use for fields, metrics, platforms and ages, each with the known words that it can mean. The
 * first one that the argument accepts is suggested.
 */
const meanings: Record<string, readonly string[]> = {
  name: ['display_name', 'author', 'title'],
  full_name: ['display_name', 'author'],
  handle: ['username', 'author'],
  user: ['username', 'author'],
  subscribers: ['followers'],
  fans: ['followers'],
  videos: ['posts'],
  views: ['total_views'],
  plays: ['views', 'total_views'],
  text: ['caption', 'bio'],
  description: ['caption', 'bio'],
  date: ['published_at', 'created_at_platform'],
  link: ['permalink', 'profile_url'],
  website: ['external_url'],
  ...{ insta: ['instagram'], ig: ['instagram'], yt: ['youtube'], tt: ['tiktok'] },
  ...{ day: ['1d'], today: ['1d'], '24h': ['1d'], '1w': ['7d'], week: ['7d'], month: ['30d'], '1m': ['30d'] },
};
const platformName = /^(instagram|tiktok|youtube)$/;
const age = /^(\d+d|fresh)$/;
const link = /:\/\/|^www\.|\.(com|be)\b/;

/**
 * Returns the word when it is in the list of allowed words. `what`: the kind of word, such as "field", for the error
 * message. `listed`: the allowed words that the error message names.
 *
 * @throws Error that suggests an allowed word, or says that the word belongs to another argument.
 */
export function knownWord<Name extends string>(
  word: string,
  known: readonly Name[],
  what: string,
  listed: readonly Name[] = known,
): Name {
  const name = known.find((one) => one === word);
  if (name !== undefined) return name;
  const other = otherArgument(word, what);
  if (other !== null) {
    throw new Error(`"${word}" is ${other}, but it is in the place of the ${what}. Check the order of the arguments.`);
  }
  const suggested = suggestion(word, known);
  const hint = suggested === null ? '' : ` Did you mean "${suggested}"?`;
  throw new Error(`There is no ${what} "${word}".${hint} Use one of ${listed.join(', ')}.`);
}

/** Returns what a word is when it belongs to another argument of a formula, such as "a platform"; otherwise null. */
function otherArgument(word: string, what: string): string | null {
  if (link.test(word)) return 'a link';
  if (what !== 'platform' && platformName.test(word)) return 'a platform';
  if (what !== 'max_age' && age.test(word)) return 'a maximum age';
  return what !== 'max_age' && /^\d+$/.test(word) ? 'a number' : null;
}

/** Returns the known word that the user probably meant; null when no known word is similar. */
function suggestion(word: string, known: readonly string[]): string | null {
  const meant = (meanings[word] ?? []).find((one) => known.includes(one));
  if (meant !== undefined) return meant;
  const days = /^(\d+)(?:d|[_ ]?days?)?$/.exec(word)?.[1];
  const ages =
    days === undefined ? [] : known.filter((one) => age.test(one) && Number.parseInt(one, 10) <= Number(days));
  const similar = ages[ages.length - 1] ?? nearest(word, known);
  return ages.length > 0 || editDistance(word, similar) <= Math.max(1, Math.floor(word.length / 3)) ? similar : null;
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
