import { derivedHashtags, derivedMentions, dig, onceEach, toList, toText, unescapeHtml } from '../parse/values.ts';
import type { Entity } from '../records/shared.ts';

/** Replaces the shortened `t.co` links in a text with the full links, which the X API sends in `entities`. */
export function withFullLinks(text: string, entities: unknown): string {
  const links = toList(dig(entities, 'urls')) ?? [];
  const full = new Map(links.map((link) => [toText(dig(link, 'url')), toText(dig(link, 'expanded_url'))]));
  return text.replace(/https?:\/\/t\.co\/\w+/g, (short) => full.get(short) ?? short);
}

/**
 * Returns the text of a post with full links. Also decodes `&amp;`, `&lt;` and `&gt;`, because the X API escapes these
 * characters.
 */
export function postText(sent: string | null, entities: unknown): string | null {
  return sent === null ? null : withFullLinks(unescapeHtml(sent), entities);
}

/**
 * Returns the hashtags that the X API lists in the `entities` of a post. If the post has no `entities`, finds the
 * hashtags in its text.
 */
export function postHashtags(sent: string | null, entities: unknown): Entity[] | null {
  if ((entities ?? null) === null) return derivedHashtags(sent === null ? null : unescapeHtml(sent));
  const listed = toList(dig(entities, 'hashtags')) ?? [];
  return onceEach(listed.map((hashtag) => entity(dig(hashtag, 'tag'), undefined)));
}

/**
 * Returns the mentions that the X API lists in the `entities` of a post. If the post has no `entities`, finds the
 * mentions in its text.
 */
export function postMentions(sent: string | null, entities: unknown): Entity[] | null {
  if ((entities ?? null) === null) return derivedMentions(sent, 'microblog');
  const listed = toList(dig(entities, 'mentions')) ?? [];
  return onceEach(listed.map((mention) => entity(dig(mention, 'username'), dig(mention, 'id'))));
}

function entity(name: unknown, id: unknown): Entity {
  return { name: toText(name), id: toText(id), source: 'platform' };
}
