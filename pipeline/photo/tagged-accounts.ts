import { dig, toText } from '../parse/values.ts';
import type { PhotoItem } from '../records/photo.ts';

/**
 * Returns the accounts that are tagged in an Instagram post, each once. Leaves out deleted accounts, which have neither
 * an ID nor a name. Null when Instagram sent no list of tags.
 */
export function taggedAccounts(users: readonly unknown[] | null): PhotoItem['tagged_users'] {
  if (users === null) return null;
  const accounts = new Map<string, NonNullable<PhotoItem['tagged_users']>[number]>();
  for (const user of users) {
    const id = toText(dig(user, 'pk')) ?? toText(dig(user, 'id'));
    const username = toText(dig(user, 'username'));
    const key = username ?? id;
    if (key !== null) accounts.set(key, { id, username, display_name: toText(dig(user, 'full_name')) });
  }
  return [...accounts.values()];
}
