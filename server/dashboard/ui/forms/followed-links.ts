import { type Allowance, throttle } from '../../../../db/accounts/throttle.ts';
import { isShortLink, type LinkResolver } from '../../../../pipeline/collect/short-links.ts';
import { SourceError } from '../../../../pipeline/errors.ts';
import type { SectionDeps } from '../../deps.ts';
import type { Visitor } from '../visitor.ts';

/**
 * Limits the short links that the forms of one user let the server follow, because following a link costs nothing. It
 * is enough for several of the longest lists.
 */
const followed: Allowance = { limit: 2_000, window_seconds: 600 };

/**
 * Returns the function that replaces a short link in a user's form by the URL to which it redirects. The function
 * throws SOURCE_CAPACITY when the user's forms contained more short links in ten minutes than {@link followed} allows.
 */
export function linksOf(
  { user_id }: Pick<Visitor, 'user_id'>,
  { db, now, links }: Pick<SectionDeps, 'db' | 'now' | 'links'>,
): LinkResolver {
  return async (text) => {
    if (!isShortLink(text)) return text;
    const wait = await throttle(db.sql, `short links by ${user_id}`, followed, now());
    if (wait === null) return links(text);
    const message = `This short link could not be followed now. Forms follow at most ${followed.limit} short links of a person in ${followed.window_seconds / 60} minutes: try again in ${Math.ceil(wait / 60)} min.`;
    throw new SourceError('SOURCE_CAPACITY', { message, retry_after_seconds: wait });
  };
}
