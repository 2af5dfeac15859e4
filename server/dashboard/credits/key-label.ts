import type { KeyRow } from '../../../db/accounts/keys.ts';

/** Returns the name of the app to which the key of a connection belongs. The key is named after it: `Connected: Claude`. */
export const appName = ({ name }: Pick<KeyRow, 'name'>): string => name.replace(/^Connected: /, '');

/** Returns the name of an API key with its last characters. The key of a connected app has no characters that a user knows. */
export function keyLabel({ name, last_four, connected }: Pick<KeyRow, 'name' | 'last_four' | 'connected'>): string {
  return connected ? `${appName({ name })} (connected app)` : `${name} (…${last_four})`;
}
