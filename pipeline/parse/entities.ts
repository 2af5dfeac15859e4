import type { Entity } from '../records/shared.ts';

/** Platforms whose texts can contain mentions. */
type MentionPlatform = 'photo' | 'shortvideo' | 'longvideo' | 'microblog';

/**
 * Matches a hashtag that is not directly after a word, `&` or `/` (see {@link notAfter}). A hashtag needs a letter or
 * `_`. The ASCII classes and the test for white space are redundant, but make the search four times as fast, because
 * they need no Unicode table.
 */
const hashtagPattern = new RegExp(
  String.raw`${notAfter('#', '&/')}(?:[A-Za-z_]|[\p{M}\p{Nd}]*[\p{L}_])[A-Za-z0-9_]*[\p{L}\p{M}\p{Nd}_]*`,
  'gu',
);

/**
 * Matches a mention (`@` and an account name) for each platform. The character class has the characters that the
 * platform allows in account names.
 */
const mentionPatterns: Record<MentionPlatform, RegExp> = {
  photo: mentionOf('[A-Za-z0-9._]'),
  shortvideo: mentionOf('[A-Za-z0-9._]'),
  longvideo: mentionOf(String.raw`[\p{L}\p{M}\p{Nd}_.·-]`),
  microblog: mentionOf('[A-Za-z0-9_]'),
};

/**
 * Matches a link with or without `https://`. A text such as `name.com` counts as a link only if a path follows, because
 * account names can have dots too.
 */
const linkPattern =
  /(?:https?:\/\/|www\.)\S+|(?<![@\p{L}\p{M}\p{Nd}_.-])[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?::\d+)?[/?#]\S*/giu;
const mailPattern =
  /(?<![@\p{L}\p{M}\p{Nd}_.%+-])[\p{L}\p{Nd}_](?:\.?[\p{L}\p{M}\p{Nd}_%+-])*@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+/gu;

/**
 * Matches a word (text between white space) that contains `@`, from the first `@`. Group 1 is the part before the `@`.
 * Mentions, links and email addresses are always inside one word, so only these words are searched with the slow
 * patterns.
 */
const wordWithAt = /@(?<=(\S*)@)\S*/g;

function mentionOf(character: string): RegExp {
  return new RegExp(`${notAfter('@')}(${character}+)`, 'gu');
}

/**
 * Returns the pattern of a sign (`#` or `@`) that does not directly follow a word or one of the characters `others`. A
 * combining mark belongs to a word only after a letter, a digit or `_`, because an emoji can also end with a combining
 * mark. The sign comes first in the pattern, so that V8 skips to the next sign and does not evaluate the lookbehind at
 * every position.
 */
function notAfter(sign: '#' | '@', others = ''): string {
  const other = others === '' ? '' : `|[${others}]`;
  return String.raw`${sign}(?:(?<=\s${sign})|(?<!(?:[\p{L}\p{Nd}_]\p{M}*${other})${sign}))`;
}

/**
 * Returns the hashtags in a text, without `#`, each once and as first spelled. A hashtag needs a letter or `_`. Returns
 * null when the text is null.
 */
export function derivedHashtags(text: string | null): Entity[] | null {
  if (text === null) return null;
  const found = text.match(hashtagPattern) ?? [];
  return derived(found.map((hashtag) => hashtag.slice(1)));
}

/**
 * Returns the account names after `@` in a text, without punctuation at the end, each once and as first spelled.
 * Ignores names in links and email addresses. Returns null when the text is null.
 */
export function derivedMentions(text: string | null, platform: MentionPlatform): Entity[] | null {
  if (text === null) return null;
  if (!text.includes('@')) return [];
  const parts = Array.from(text.matchAll(wordWithAt), ([rest, start = '']) => start + rest);
  const prose = parts.join(' ').replace(linkPattern, ' ').replace(mailPattern, ' ');
  const names = Array.from(prose.matchAll(mentionPatterns[platform]), (match) =>
    (match[1] ?? '').replace(/(?<![.·-])[.·-]+$/, ''),
  );
  return derived(names.filter((name) => name !== ''));
}

function derived(names: string[]): Entity[] {
  return onceEach(names.map((name) => ({ name, id: null, source: 'derived_text' })));
}

/**
 * Returns each hashtag or mention once, in the order and spelling of its first occurrence. Ignores letter case. Keeps
 * the ID and the source `platform` if any occurrence has them. Leaves out entities without a name.
 */
export function onceEach(entities: readonly Entity[]): Entity[] {
  const seen = new Map<string, Entity>();
  for (const entity of entities) {
    if (entity.name === null) continue;
    const key = entity.name.toLowerCase();
    const first = seen.get(key);
    const source = entity.source === 'platform' ? 'platform' : first?.source;
    seen.set(key, first ? { name: first.name, id: first.id ?? entity.id, source: source ?? null } : entity);
  }
  return [...seen.values()];
}
