import type { Entity } from '../records/shared.ts';

/** Platforms whose texts can contain mentions. */
export type MentionPlatform = 'photo' | 'shortvideo' | 'longvideo' | 'microblog';

/** A combining mark is part of a word only after a letter or digit: the variation selector of an emoji is a mark too. */
const notInWord = String.raw`(?<![\p{L}\p{Nd}_]\p{M}*)`;
const hashtagPattern = /(?<![\p{L}\p{Nd}_]\p{M}*|[&/])#([\p{L}\p{M}\p{Nd}_]+)/gu;

/** Matches mentions, with the characters that account names of each platform can have. */
const mentionPatterns: Record<MentionPlatform, RegExp> = {
  photo: mentionOf('[A-Za-z0-9._]'),
  shortvideo: mentionOf('[A-Za-z0-9._]'),
  longvideo: mentionOf(String.raw`[\p{L}\p{M}\p{Nd}_.·-]`),
  microblog: mentionOf('[A-Za-z0-9_]'),
};

/** Matches links with or without a scheme. A name with a dot and no path does not match, because account names have dots too. */
const linkPattern =
  /(?:https?:\/\/|www\.)\S+|(?<![@\p{L}\p{M}\p{Nd}_.-])[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?::\d+)?[/?#]\S*/giu;
const mailPattern =
  /(?<![@\p{L}\p{M}\p{Nd}_.%+-])[\p{L}\p{Nd}_](?:\.?[\p{L}\p{M}\p{Nd}_%+-])*@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+/gu;

function mentionOf(character: string): RegExp {
  return new RegExp(`${notInWord}@(${character}+)`, 'gu');
}

/** Returns the hashtags in a text, without `#` and duplicates, as first written. Digits alone are not a hashtag. Returns null for null. */
export function derivedHashtags(text: string | null): Entity[] | null {
  if (text === null) return null;
  const names = Array.from(text.matchAll(hashtagPattern), (match) => match[1] ?? '');
  return derived(names.filter((name) => /[\p{L}_]/u.test(name)));
}

/**
 * Returns the account names after `@` in a text, without duplicates and trailing punctuation, as first written.
 * Ignores names in links and mail addresses. Returns null for null.
 */
export function derivedMentions(text: string | null, platform: MentionPlatform): Entity[] | null {
  if (text === null) return null;
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
