import { derivedHashtags, derivedMentions, dig, onceEach, toCount, toList, toText } from '../parse/values.ts';
import type { Entity } from '../records/shared.ts';

const mentionType = 0;
const hashtagType = 1;
/**
 * Maximum number of characters in a mention. If TikTok marks a longer part of the caption, that part is not read as a
 * name.
 */
const nameMaxCharacters = 200;

/**
 * A caption with the data that TikTok sends about its hashtags and mentions. `extras` is TikTok's list `textExtra`,
 * whose keys begin with a capital letter on embed pages. `challenges` are hashtags with IDs. They may belong to other
 * posts on the page, so they are used only to look up IDs.
 */
interface CaptionMarks {
  /**
   * The caption exactly as TikTok sent it, because `extras` contains character positions in this text. Null when TikTok
   * did not send a caption.
   */
  text: string | null;
  extras: readonly unknown[];
  challenges: readonly { name: string | null; id: string | null }[];
}

/**
 * Returns the hashtags that TikTok marks in `extras`, or else those found in the caption. Finds missing IDs by name in
 * `challenges`.
 */
export function captionHashtags({ text, extras, challenges }: CaptionMarks): Entity[] | null {
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

/**
 * Returns the mentions that TikTok marks in `extras`, or else those found in the caption. Every mark with an account
 * counts, because TikTok gives the account of a credited video (stitch, duet) another type than a mention.
 */
export function captionMentions({ text, extras }: CaptionMarks): Entity[] | null {
  const named = extras.flatMap((extra) => {
    const isMention = toCount(member(extra, 'type')) === mentionType;
    const name = toText(member(extra, 'userUniqueId')) ?? (isMention ? writtenName(text, extra) : null);
    return name === null ? [] : [platformEntity(name, toText(member(extra, 'userId')))];
  });
  return named.length === 0 ? derivedMentions(text, 'shortvideo') : onceEach(named);
}

/** Adds TikTok's ID, if it is known, to a hashtag that was found in the caption. */
function withId(entity: Entity, id: string | null): Entity {
  return id === null ? entity : { ...entity, id, source: 'platform' };
}

function platformEntity(name: string, id: string | null): Entity {
  return { name, id, source: 'platform' };
}

/** Returns a hashtag in the format of TikTok's list `textExtra`, so that {@link captionHashtags} can read it. */
export function hashtagExtra({ name, id }: { name: string | null; id: string | null }): unknown {
  return { type: hashtagType, hashtagName: name, hashtagId: id };
}

/**
 * Returns the account name of a mention, from its position in the caption, because TikTok's embed pages do not send the
 * name itself.
 */
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

/**
 * Returns the `textExtra` entries (hashtags and mentions) of a TikTok post and of its paragraphs. Newer pages split the
 * caption into paragraphs.
 */
export function captionExtras(item: unknown): unknown[] {
  const paragraphs = toList(dig(item, 'contents')) ?? [];
  return [item, ...paragraphs].flatMap((part) => toList(dig(part, 'textExtra')) ?? []);
}
