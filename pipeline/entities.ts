import type { Entity } from './records/shared.ts';

/** A mark counts as part of a word only behind a letter or digit: the variation selector of an emoji is a mark too. */
const hashtagPattern = /(?<![\p{L}\p{Nd}_]\p{M}*|[&/])#([\p{L}\p{M}\p{Nd}_]+)/gu;
const mentionPattern = /(?<![\p{L}\p{Nd}_]\p{M}*)@([A-Za-z0-9._]+)/gu;

/** Hashtags written in a text, once each in the form first written, without `#`; a run of digits is none. Null text gives null. */
export function derivedHashtags(text: string | null): Entity[] | null {
  if (text === null) return null;
  const names = Array.from(text.matchAll(hashtagPattern), (match) => match[1] ?? '');
  return derived(names.filter((name) => /[\p{L}_]/u.test(name)));
}

/** Account names written in a text with `@`, once each in the form first written, trailing dots dropped. Null text gives null. */
export function derivedMentions(
  text: string | null,
  _platform?: 'photo' | 'shortvideo' | 'longvideo' | 'microblog',
): Entity[] | null {
  if (text === null) return null;
  const names = Array.from(text.matchAll(mentionPattern), (match) => (match[1] ?? '').replace(/\.+$/, ''));
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
