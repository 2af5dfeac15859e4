import { dig, onceEach, toFreeText, toList, toText } from '../../parse/values.ts';
import type { Entity } from '../../records/shared.ts';

/**
 * Returns the text of a text object in YouTube's answers, from `simpleText`, `runs` or `content`. Null when the text is
 * missing or empty.
 */
export function nodeText(node: unknown): string | null {
  const runs = toList(dig(node, 'runs'));
  if (runs !== null) return toText(runs.map((run) => toText(dig(run, 'text')) ?? '').join(''));
  return toText(dig(node, 'simpleText')) ?? toText(dig(node, 'content'));
}

/**
 * Returns the text of a text object in YouTube's answers unchanged. `''` means that the text is empty, null that it is
 * missing.
 */
export function nodeFreeText(node: unknown): string | null {
  const runs = toList(dig(node, 'runs'));
  if (runs !== null) return runs.map((run) => toFreeText(dig(run, 'text')) ?? '').join('');
  return toFreeText(dig(node, 'simpleText')) ?? toFreeText(dig(node, 'content')) ?? (isEmptyText(node) ? '' : null);
}

/**
 * Returns a title, which is a text object in YouTube's answers. Null means that the title is empty, undefined that it
 * is missing.
 */
export function titleText(node: unknown): string | null | undefined {
  return nodeText(node) ?? (nodeFreeText(node) === null ? undefined : null);
}

/** Returns true for an object that represents an empty text. YouTube omits the text itself then. */
function isEmptyText(node: unknown): boolean {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return false;
  return Object.keys(node).every((name) => name === 'accessibility');
}

/** Maximum number of characters that are read from the text of a link in a description. */
const linkedMaxCharacters = 1_000;

/** Invisible Unicode characters that set the writing direction around a name in a text. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns the hashtags and accounts to which a YouTube description links, in order. The account IDs come from the
 * links. Also reads descriptions from before 2024, which YouTube sent in parts, some of them with a link.
 */
export function linkedEntities(description: unknown): { hashtags: Entity[]; mentions: Entity[] } {
  const hashtags: Entity[] = [];
  const mentions: Entity[] = [];
  for (const { shown, command } of linksOf(description)) {
    const url = toText(dig(command, 'commandMetadata', 'webCommandMetadata', 'url')) ?? '';
    const linked = shown.slice(0, linkedMaxCharacters).replace(directionMarks, '').trim();
    if (url.startsWith('/hashtag/') && linked.startsWith('#')) {
      hashtags.push({ name: linked.slice(1), id: null, source: 'platform' });
    } else if (url.startsWith('/@') && linked.startsWith('@')) {
      mentions.push({
        name: linked.slice(1),
        id: toText(dig(command, 'browseEndpoint', 'browseId')),
        source: 'platform',
      });
    }
  }
  return { hashtags, mentions };
}

/** Returns the links in a YouTube description: for each link, the visible text and its command (the target). */
function linksOf(description: unknown): { shown: string; command: unknown }[] {
  const parts = toList(dig(description, 'runs'));
  if (parts !== null) {
    return parts.map((part) => ({
      shown: toText(dig(part, 'text')) ?? '',
      command: dig(part, 'navigationEndpoint'),
    }));
  }
  const text = toText(dig(description, 'content')) ?? '';
  return (toList(dig(description, 'commandRuns')) ?? []).map((run) => {
    const start = Number(dig(run, 'startIndex') ?? 0);
    return {
      shown: text.slice(start, start + Number(dig(run, 'length') ?? 0)),
      command: dig(run, 'onTap', 'innertubeCommand'),
    };
  });
}

/** Combines the hashtags or mentions found in a text with those that YouTube links. Null when both are missing. */
export function withLinked(derived: Entity[] | null, linked: readonly Entity[]): Entity[] | null {
  if (derived === null && linked.length === 0) return null;
  return onceEach([...(derived ?? []), ...linked]);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayFirst = /\b(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})$/i;
const monthFirst = /\b([a-z]{3})[a-z]* (\d{1,2}), (\d{4})$/i;

/**
 * Converts the date at the end of an English text (`5 Sept 2024` or `Sep 5, 2024`) to `YYYY-MM-DD`. Null for a relative
 * time such as `2 days ago`.
 */
export function shownDate(text: string | null): string | null {
  const [, day1, month1, year1] = dayFirst.exec(text ?? '') ?? [];
  const [, month2, day2, year2] = monthFirst.exec(text ?? '') ?? [];
  const month = months.indexOf((month1 ?? month2 ?? '').toLowerCase()) + 1;
  const [day, year] = [day1 ?? day2, year1 ?? year2];
  if (month === 0 || day === undefined || year === undefined) return null;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
