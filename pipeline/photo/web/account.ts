import type { SourceContext } from '../../collect/collect.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { photoHandleFormat } from '../../parse/identifiers.ts';
import { dig, toFlag, toText, toUrl } from '../../parse/values.ts';
import type { KnownAuthor } from './node-item.ts';
import { messageRefusal, pageForJson, webRefusal } from './refusal.ts';

/** The name of the sources that read the profile data of Instagram's website. */
export const photoWebName = 'instagram-web';

/**
 * The ID of Instagram's public web application, which the profile endpoint of the website requires. The ID is not
 * secret.
 */
const webAppId = '936619743392459';

/**
 * Fetches the website's answer about an Instagram account: the profile and its newest posts. Throws a SourceError for
 * an error answer.
 */
export async function fetchAccount(handle: string, context: SourceContext): Promise<Buffer> {
  const username = photoHandleFormat.normalize(handle);
  const url = `https://www.instagram.com/api/v1/users/web_profile_info/?username=${username}`;
  const headers = {
    'x-ig-app-id': webAppId,
    accept: 'application/json',
    referer: `https://www.instagram.com/${username}/`,
  };
  const answer = await context.fetch({ url, headers }, context.signal);
  const refused = webRefusal(answer, context.now());
  if (refused) throw refused;
  if (/^\s*</.test(answer.body.toString('utf8', 0, 64))) throw pageForJson(answer);
  return answer.body;
}

/**
 * Returns `data.user` of the website's parsed answer about an account. Throws a SourceError when the answer has no
 * account that visitors can see.
 */
export function userOf(body: unknown): unknown {
  const user = dig(body, 'data', 'user');
  if (user === null) throw new SourceError('RESOURCE_NOT_FOUND', { reason: `${photoWebName}: data.user is null` });
  const identified = (toText(dig(user, 'id')) ?? toText(dig(user, 'username'))) !== null;
  if (!identified) throw messageRefusal(body) ?? accountChanged('an answer without data.user');
  if (toFlag(dig(user, 'country_block')) === true) {
    throw new SourceError('SOURCE_RESTRICTED', {
      about: 'resource',
      reason: `${photoWebName}: country_block`,
      message:
        'The platform does not show this account in the country where this server runs. Trying again does not help.',
    });
  }
  return user;
}

/** Returns the fields that an account's profile and the author of its posts have in common. */
export function accountOf(user: unknown): KnownAuthor {
  return {
    id: toText(dig(user, 'id')),
    username: toText(dig(user, 'username')),
    display_name: toText(dig(user, 'full_name')),
    verified: toFlag(dig(user, 'is_verified')),
    avatar_url: toUrl(dig(user, 'profile_pic_url_hd')) ?? toUrl(dig(user, 'profile_pic_url')),
  };
}

/** Returns the error for an answer about an account in an unknown format. `reason` is for the log. */
export function accountChanged(reason: string): SourceError {
  return responseChanged(`${photoWebName}: ${reason}`);
}
