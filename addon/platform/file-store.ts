import { PlainError } from './page-call.ts';
import { keyStores } from './platform.ts';
import type { KeyStore } from './settings.ts';

/** Returns the properties of the open file. @throws PlainError when no file is open. */
export function fileStore(store: KeyStore | null = keyStores().document): KeyStore {
  if (store === null) throw new PlainError('Open a file first.');
  return store;
}

/** Returns the number of bytes of a text in the properties of a file, which Apps Script limits. */
export function utf8Bytes(text: string): number {
  return [...text].reduce((sum, character) => sum + characterBytes(character.codePointAt(0) ?? 0), 0);
}

function characterBytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
