import { PlainError } from './page-call.ts';
import { keyStores } from './platform.ts';
import type { KeyStore } from './settings.ts';

/**
 * Returns the properties of the open spreadsheet, in which the add-on saves data.
 *
 * @throws PlainError when no spreadsheet is open.
 */
export function fileStore(store: KeyStore | null = keyStores().document): KeyStore {
  if (store === null) throw new PlainError('Open a file first.');
  return store;
}
