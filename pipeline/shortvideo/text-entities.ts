import { derivedHashtags, derivedMentions, dig, toCount, toList, toText } from '../parse.ts';
import type { Entity } from '../records/shared.ts';

const mentionType = 0;
const hashtagType = 1;

/** What a surface says beside a caption: `textExtra` rows (their keys capitalised in embeds) and the item's hashtags by id. */
export interface CaptionMarks {
  /** The caption as sent, so that the rows' positions hold; null when it was not sent. */
  text: string | null;
  extras: readonly unknown[];
  challenges: readonly { name: string | null; id: string | null }[];
}

/** Hashtags that the platform names, with the id looked up by name where the row has none; else those written in the text. */
export function hashtagsOf({ text, extras, challenges }: CaptionMarks): Entity[] | null {
  const ids = new Map(challenges.flatMap(({ name, id }) => (name === null ? [] : [[name.toLowerCase(), id] as const])));
  const marked = extras.filter((extra) => toCount(member(extra, 'type')) === hashtagType);
  const rows = marked.map((extra) => ({
    name: toText(member(extra, 'hashtagName')),
    id: toText(member(extra, 'hashtagId')),
  }));
  const named = [...rows, ...challenges].flatMap(({ name, id }) =>
    name === null ? [] : [platformEntity(name, id ?? ids.get(name.toLowerCase()) ?? null)],
  );
  return named.length === 0 ? derivedHashtags(text) : onceEach(named);
}

/** Accounts that the platform links in the text; else those written in it. */
export function mentionsOf({ text, extras }: CaptionMarks): Entity[] | null {
  const marked = extras.filter((extra) => toCount(member(extra, 'type')) === mentionType);
  const named = marked.flatMap((extra) => {
    const name = toText(member(extra, 'userUniqueId')) ?? writtenName(text, extra);
    return name === null ? [] : [platformEntity(name, toText(member(extra, 'userId')))];
  });
  return named.length === 0 ? derivedMentions(text) : onceEach(named);
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

/** Embeds give a mention's place in the text and no name. */
function writtenName(text: string | null, extra: unknown): string | null {
  const start = toCount(member(extra, 'start'));
  const end = toCount(member(extra, 'end'));
  if (text === null || start === null || end === null || text[start] !== '@') return null;
  return toText(text.slice(start + 1, end).trim());
}

function member(extra: unknown, key: string): unknown {
  return dig(extra, key) ?? dig(extra, `${key.charAt(0).toUpperCase()}${key.slice(1)}`);
}

/** The `textExtra` rows of an item and of the paragraphs into which newer pages divide its caption. */
export function captionExtras(item: unknown): unknown[] {
  const paragraphs = toList(dig(item, 'contents')) ?? [];
  return [item, ...paragraphs].flatMap((part) => toList(dig(part, 'textExtra')) ?? []);
}
