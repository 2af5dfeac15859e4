import type { Entity } from '../records/shared.ts';

/** The platforms in whose texts mentions are looked for. */
export type MentionPlatform = 'photo' | 'shortvideo' | 'longvideo' | 'microblog';

/** A mark counts as part of a word only after a letter or digit: the variation selector of an emoji is a mark too. */
const notInWord = String.raw`(?<![\p{L}\p{Nd}_]\p{M}*)`;
const hashtagPattern = /(?<![\p{L}\p{Nd}_]\p{M}*|[&/])#([\p{L}\p{M}\p{Nd}_]+)/gu;

/** What the name of an account may consist of on each platform. */
const mentionPatterns: Record<MentionPlatform, RegExp> = {
  photo: mentionOf('[A-Za-z0-9._]'),
  shortvideo: mentionOf('[A-Za-z0-9._]'),
  longvideo: mentionOf(String.raw`[\p{L}\p{M}\p{Nd}_.·-]`),
  microblog: mentionOf('[A-Za-z0-9_]'),
};

/** Links with or without a scheme; a name with a dot and no path is none, because names of accounts have dots too. */
const linkPattern =
  /(?:https?:\/\/|www\.)\S+|(?<![@\p{L}\p{M}\p{Nd}_.-])[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?::\d+)?[/?#]\S*/giu;
const mailPattern =
  /(?<![@\p{L}\p{M}\p{Nd}_.%+-])[\p{L}\p{Nd}_](?:\.?[\p{L}\p{M}\p{Nd}_%+-])*@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+/gu;

function mentionOf(character: string): RegExp {
  return new RegExp(`${notInWord}@(${character}+)`, 'gu');
}

/** Returns the hashtags written in a text, once each in the form first written, without `#`; a run of digits is none. Null text gives null. */
export function derivedHashtags(text: string | null): Entity[] | null {
  if (text === null) return null;
  const names = Array.from(text.matchAll(hashtagPattern), (match) => match[1] ?? '');
  return derived(names.filter((name) => /[\p{L}_]/u.test(name)));
}

/**
 * Returns the account names written in a text with `@`, once each in the form first written, without the punctuation behind them.
 * A name inside a link or a mail address is no mention. Null text gives null.
 */
export function derivedMentions(text: string | null, platform: MentionPlatform): Entity[] | null {
  if (text === null) return null;
  const prose = text.replace(linkPattern, ' ').replace(mailPattern, ' ');
  const names = Array.from(prose.matchAll(mentionPatterns[platform]), (match) =>
    (match[1] ?? '').replace(/[.·-]+$/, ''),
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
