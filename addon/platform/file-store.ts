import { PlainError } from './page-call.ts';
import { keyStores } from './platform.ts';
import type { KeyStore } from './settings.ts';

/** Returns the properties of the open file. @throws PlainError when no file is open. */
export function fileStore(store: KeyStore | null = keyStores().document): KeyStore {
  if (store === null) throw new PlainError('Open a file first.');
  return store;
}
