import type { Entity } from '../records/shared.ts';

/** Platforms whose texts can contain mentions. */
export type MentionPlatform = 'photo' | 'shortvideo' | 'longvideo' | 'microblog';

/**
 * Matches a position that does not follow a word. A combining mark is part of a word only after a letter, a digit or `_`.
 * Otherwise the variation selector of an emoji, which is also a mark, would count as a word.
 */
const notInWord = String.raw`(?<![\p{L}\p{Nd}_]\p{M}*)`;
const hashtagPattern = /(?<![\p{L}\p{Nd}_]\p{M}*|[&/])#([\p{L}\p{M}\p{Nd}_]+)/gu;

/** Matches mentions. The allowed characters are those of account names on each platform. */
const mentionPatterns: Record<MentionPlatform, RegExp> = {
  photo: mentionOf('[A-Za-z0-9._]'),
  shortvideo: mentionOf('[A-Za-z0-9._]'),
  longvideo: mentionOf(String.raw`[\p{L}\p{M}\p{Nd}_.·-]`),
  microblog: mentionOf('[A-Za-z0-9_]'),
};

/**
 * Matches links with or without a scheme. A name with a dot counts as a link only if a path follows, because account names have
 * dots too.
 */
const linkPattern =
  /(?:https?:\/\/|www\.)\S+|(?<![@\p{L}\p{M}\p{Nd}_.-])[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?::\d+)?[/?#]\S*/giu;
const mailPattern =
  /(?<![@\p{L}\p{M}\p{Nd}_.%+-])[\p{L}\p{Nd}_](?:\.?[\p{L}\p{M}\p{Nd}_%+-])*@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+/gu;

function mentionOf(character: string): RegExp {
  return new RegExp(`${notInWord}@(${character}+)`, 'gu');
}

/**
 * Returns the hashtags in a text, without `#`. Each is returned once, as first written. A hashtag needs a letter or `_`.
 * Returns null for null.
 */
export function derivedHashtags(text: string | null): Entity[] | null {
  if (text === null) return null;
  if (!text.includes('#')) return [];
  const names = Array.from(text.matchAll(hashtagPattern), (match) => match[1] ?? '');
  return derived(names.filter((name) => /[\p{L}_]/u.test(name)));
}

/**
 * Returns the account names after `@` in a text, without punctuation at the end. Each is returned once, as first written.
 * Ignores names in links and email addresses. Returns null for null.
 */
export function derivedMentions(text: string | null, platform: MentionPlatform): Entity[] | null {
  if (text === null) return null;
  // Most texts have no mention. This check skips the search for links, which reads each character several times.
  if (!text.includes('@')) return [];
  const prose = text.replace(linkPattern, ' ').replace(mailPattern, ' ');
  const names = Array.from(prose.matchAll(mentionPatterns[platform]), (match) =>
    (match[1] ?? '').replace(/(?<![.·-])[.·-]+$/, ''),
  );
  return derived(names.filter((name) => name !== ''));
}

function derived(names: string[]): Entity[] {
  const seen = new Map<string, Entity>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!seen.has(key)) seen.set(key, { name, id: null, source: 'derived_text' });
  }
  return [...seen.values()];
}
