import { derivedHashtags, derivedMentions, dig, toCount, toList, toText } from '../parse/values.ts';
import type { Entity } from '../records/shared.ts';

const mentionType = 0;
const hashtagType = 1;
/** A longer part of a text is no name. */
const nameMaxCharacters = 200;

/**
 * A caption with the hashtags and mentions that a source sends for it: the item's own `textExtra` rows (with capitalised keys in
 * embeds), and `challenges`, which may belong to other items of the page and are only used to look up ids.
 */
export interface CaptionMarks {
  /** The unchanged caption, because the rows have positions in it; null when it was not sent. */
  text: string | null;
  extras: readonly unknown[];
  challenges: readonly { name: string | null; id: string | null }[];
}

/** Returns the hashtags of the item's rows, else those in its text. Looks up missing ids by name. */
export function hashtagsOf({ text, extras, challenges }: CaptionMarks): Entity[] | null {
  const ids = new Map(challenges.flatMap(({ name, id }) => (name === null ? [] : [[name.toLowerCase(), id] as const])));
  const marked = extras.filter((extra) => toCount(member(extra, 'type')) === hashtagType);
  const rows = marked.map((extra) => ({
    name: toText(member(extra, 'hashtagName')),
    id: toText(member(extra, 'hashtagId')),
  }));
  const idOf = (name: string) => ids.get(name.toLowerCase()) ?? null;
  const named = rows.flatMap(({ name, id }) => (name === null ? [] : [platformEntity(name, id ?? idOf(name))]));
  if (named.length > 0) return onceEach(named);
  return derivedHashtags(text)?.map((entity) => withId(entity, idOf(entity.name ?? ''))) ?? null;
}

/** Returns the mentions of the item's rows, else those in its text. */
export function mentionsOf({ text, extras }: CaptionMarks): Entity[] | null {
  const marked = extras.filter((extra) => toCount(member(extra, 'type')) === mentionType);
  const named = marked.flatMap((extra) => {
    const name = toText(member(extra, 'userUniqueId')) ?? writtenName(text, extra);
    return name === null ? [] : [platformEntity(name, toText(member(extra, 'userId')))];
  });
  return named.length === 0 ? derivedMentions(text, 'shortvideo') : onceEach(named);
}

/** Adds an id of the platform to a hashtag from the text. */
function withId(entity: Entity, id: string | null): Entity {
  return id === null ? entity : { ...entity, id, source: 'platform' };
}

function platformEntity(name: string, id: string | null): Entity {
  return { name, id, source: 'platform' };
}

function onceEach(entities: Entity[]): Entity[] {
  const seen = new Map<string, Entity>();
  for (const entity of entities) {
    const key = entity.name?.toLowerCase() ?? '';
    if (!seen.has(key)) seen.set(key, entity);
  }
  return [...seen.values()];
}

/** Returns a hashtag of the item in the form of a `textExtra` row. */
export function hashtagExtra({ name, id }: { name: string | null; id: string | null }): unknown {
  return { type: hashtagType, hashtagName: name, hashtagId: id };
}

/** Returns the name of a mention from its position in the text: embeds send no name. */
function writtenName(text: string | null, extra: unknown): string | null {
  const start = toCount(member(extra, 'start'));
  const end = toCount(member(extra, 'end'));
  if (text === null || start === null || end === null || text[start] !== '@') return null;
  if (end - start > nameMaxCharacters) return null;
  return toText(text.slice(start + 1, end).trim());
}

function member(extra: unknown, key: string): unknown {
  return dig(extra, key) ?? dig(extra, `${key.charAt(0).toUpperCase()}${key.slice(1)}`);
}

/** Returns the `textExtra` rows of an item and of its paragraphs: newer pages split the caption into paragraphs. */
export function captionExtras(item: unknown): unknown[] {
  const paragraphs = toList(dig(item, 'contents')) ?? [];
  return [item, ...paragraphs].flatMap((part) => toList(dig(part, 'textExtra')) ?? []);
}
