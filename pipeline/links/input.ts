import { dayOf, endOfDay, isDay } from '../../db/calendar.ts';
import type { LinkContent, LinkRefresh, NewDataLink } from '../../db/deliveries/data-links.ts';
import { dayMs } from '../../db/durations.ts';
import { isId } from '../../db/ids.ts';
import { cacheAgeNames } from '../collect/cache-ages.ts';
import { defaultLimit, maxLimit } from '../collect/page.ts';
import { type LinkResolver, resolveAll } from '../collect/short-links.ts';
import { isOneLine } from '../parse/text.ts';
import { startOf, weekStart } from '../report/period.ts';
import { profileColumns } from '../rows/columns.ts';
import { parseProfileAddress } from '../rows/profile-address.ts';

export const maxLabelCharacters = 80;
/**
 * Maximum number of profile URLs in a data link, for links that show profiles and links that show the latest posts. The
 * limit for posts is lower, because the posts of one account can need two requests.
 */
export const maxAddresses = { profiles: 500, posts: 20 } as const;
const maxAddressCharacters = 2_048;
const maxLifeDays = 3_650;

/** The fields of a new data link as texts, from a form or the command line. A missing field is ''. */
export interface LinkInput {
  label: string;
  /**
   * The data that the link shows: `list`, `list:ID`, `history`, `history:ID`, `batch:ID`, `report:ID:items` (or
   * `totals`, `series`), `profiles` or `posts`.
   */
  shows: string;
  /**
   * Selects a finished weekly report by one of its days, as YYYY-MM-DD (UTC). Empty: the link always shows the newest
   * report.
   */
  week: string;
  /** Profile URLs. Only for a link that shows `profiles` or `posts`. */
  urls: readonly string[];
  /** Names of the profile columns to show. Empty: all columns. */
  fields: readonly string[];
  /** Number of posts to show for each account. */
  posts: string;
  refresh: string;
  cap: string;
  /** The last day (UTC) on which the data link works, as YYYY-MM-DD. */
  expires: string;
}

/** Error that explains why a data link cannot be created. `message` is one sentence for the user. */
export class LinkInputError extends Error {
  override readonly name = 'LinkInputError';
  /** The field of the form that is invalid. */
  readonly field: keyof LinkInput;

  constructor(field: keyof LinkInput, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Replaces short links, such as `https://vm.tiktok.com/…`, with the URLs to which they redirect. Returns a list
 * that is too long unchanged, because {@link readLinkInput} refuses it afterwards. Throws LinkInputError when a share
 * link cannot be followed now.
 */
export async function resolveAddresses(urls: readonly string[], resolve: LinkResolver): Promise<readonly string[]> {
  if (urls.length > maxAddresses.profiles) return urls;
  const { texts, failures } = await resolveAll(urls, resolve);
  const index = texts.findIndex((text) => failures.has(text));
  const failure = failures.get(texts[index] ?? '');
  if (failure) throw new LinkInputError('urls', `Link ${index + 1} cannot be used. ${failure.message}`);
  return texts;
}

/** Validates the fields of a new data link and returns its settings. Throws LinkInputError when a field is invalid. */
export function readLinkInput(input: LinkInput, now: Date): NewDataLink {
  const content = readContent(input);
  return {
    label: readLabel(input.label),
    content,
    refresh: readRefresh(input, content),
    expires_at: readExpiry(input.expires, now),
  };
}

function readLabel(label: string): string {
  const trimmed = label.trim();
  if (trimmed !== '' && trimmed.length <= maxLabelCharacters && isOneLine(trimmed)) return trimmed;
  throw new LinkInputError('label', `Enter a name of 1 to ${maxLabelCharacters} characters.`);
}

function readContent(input: LinkInput): LinkContent {
  const [kind, id = '', section = ''] = input.shows.split(':');
  if (input.week !== '' && kind !== 'report')
    throw new LinkInputError(
      'week',
      'Only campaign reports have a week. Remove the week, or choose a report as the data.',
    );
  if (kind === 'profiles') return { kind, urls: readAddresses(input.urls, kind), fields: readFields(input.fields) };
  if (kind === 'posts') return { kind, urls: readAddresses(input.urls, kind), limit: readPosts(input.posts) };
  if (input.urls.length > 0)
    throw new LinkInputError('urls', 'Remove the profile links, or choose profiles or latest posts as the data.');
  const ids = id === '' ? null : readId(id);
  if ((kind === 'list' || kind === 'history') && section === '') return { kind, list_id: ids };
  if (kind === 'batch' && ids !== null) return { kind, batch_id: ids };
  if (kind === 'report' && ids !== null && isSection(section))
    return { kind, campaign_id: ids, section, ...readWeek(input.week) };
  throw new LinkInputError('shows', 'Choose the data that the link shows.');
}

/**
 * Reads the field `week`, which is any day of a week. Returns the Monday of that week, or an empty object for an empty
 * text.
 */
function readWeek(day: string): { week?: string } {
  if (day === '') return {};
  if (isDay(day)) return { week: dayOf(weekStart(startOf(day))) };
  throw new LinkInputError('week', 'Enter the week as one of its days, such as 2026-11-09.');
}

const isSection = (text: string) => text === 'totals' || text === 'items' || text === 'series';

function readId(id: string): string {
  if (isId(id)) return id.toLowerCase();
  throw new LinkInputError('shows', 'Choose the data that the link shows.');
}

function readAddresses(texts: readonly string[], kind: keyof typeof maxAddresses): string[] {
  const urls = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  const most = maxAddresses[kind];
  if (urls.length === 0) throw new LinkInputError('urls', 'Enter at least one profile link, one per line.');
  if (urls.length > most)
    throw new LinkInputError('urls', `Enter at most ${most} profile links; these are ${urls.length}.`);
  for (const [index, url] of urls.entries()) {
    const parsed =
      url.length > maxAddressCharacters
        ? { ok: false as const, message: `Use at most ${maxAddressCharacters} characters.` }
        : parseProfileAddress(url);
    if (!parsed.ok) throw new LinkInputError('urls', `Link ${index + 1} cannot be used. ${parsed.message}`);
  }
  return urls;
}

function readFields(fields: readonly string[]): string[] | null {
  const wanted = fields.map((field) => field.trim()).filter((field) => field !== '');
  const wrong = wanted.find((field) => !(profileColumns as readonly string[]).includes(field));
  if (wrong !== undefined)
    throw new LinkInputError(
      'fields',
      `${wrong.slice(0, 40)} is not a column of a profile: remove it, or choose a column such as followers.`,
    );
  return wanted.length > 0 ? wanted : null;
}

function readPosts(text: string): number {
  const posts = text === '' ? defaultLimit : Number(text);
  if (Number.isInteger(posts) && posts >= 1 && posts <= maxLimit) return posts;
  throw new LinkInputError('posts', `The number of posts must be between 1 and ${maxLimit}.`);
}

function readRefresh({ refresh, cap }: LinkInput, { kind }: LinkContent): LinkRefresh | null {
  if (refresh === '') return null;
  if (kind !== 'profiles' && kind !== 'posts')
    throw new LinkInputError(
      'refresh',
      'Only profiles and latest posts can fetch new values. Choose Never for other data.',
    );
  const age = cacheAgeNames.find((known) => known === refresh);
  if (!age)
    throw new LinkInputError('refresh', `Choose how often new values are fetched: ${cacheAgeNames.join(', ')}.`);
  if (!/^[1-9]\d{0,8}$/.test(cap))
    throw new LinkInputError(
      'cap',
      'A link that fetches new values needs a monthly cap: a whole number of credits, at least 1.',
    );
  return { max_age: age, monthly_cap: Number(cap) };
}

function readExpiry(day: string, now: Date): Date | null {
  if (day === '') return null;
  const at = endOfDay(day);
  const last = now.getTime() + maxLifeDays * dayMs;
  if (at > now && at.getTime() <= last) return at;
  throw new LinkInputError('expires', 'The expiry date must be in the future and within 10 years, such as 2027-01-31.');
}

/** Returns which data a link shows, in the text form of {@link LinkInput.shows}, such as `list:ID`. */
export function showsOf(content: LinkContent): string {
  switch (content.kind) {
    case 'list':
    case 'history':
      return content.list_id === null ? content.kind : `${content.kind}:${content.list_id}`;
    case 'batch':
      return `batch:${content.batch_id}`;
    case 'report':
      return `report:${content.campaign_id}:${content.section}`;
    default:
      return content.kind;
  }
}
