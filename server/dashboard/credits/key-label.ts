import type { KeyRow } from '../../../db/accounts/keys.ts';

/** Returns the name of a connected app from the name of its API key: `Claude` for `Connected: Claude`. */
export const connectedAppName = ({ name }: Pick<KeyRow, 'name'>): string => name.replace(/^Connected: /, '');

/**
 * Returns the name of an API key with its last four characters. For a connected app, whose key users never see, returns
 * the name of the app.
 */
export function keyLabel({ name, last_four, connected }: Pick<KeyRow, 'name' | 'last_four' | 'connected'>): string {
  return connected ? `${connectedAppName({ name })} (connected app)` : `${name} (…${last_four})`;
}
