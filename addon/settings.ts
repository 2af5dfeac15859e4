/** The part of a Properties store that keys need. */
export type KeyStore = {
  getProperty: (name: string) => string | null;
  setProperty: (name: string, value: string) => unknown;
  deleteProperty: (name: string) => unknown;
};

/** `document` is null where the script runs outside a file. In a formula `user` is the file owner's. */
export type KeyStores = { document: KeyStore | null; user: KeyStore };

/** `file`: every editor's formulas in this file use the key. `account`: formulas in all files its holder owns. */
export type KeyPlace = 'file' | 'account';

const key_property = 'api_key';
const key_form = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;

/** The key that requests carry: the file's before the account's. It must never leave the bundle except as a header. */
export function findKey(stores: KeyStores): { key: string; place: KeyPlace } | null {
  const of_file = stores.document?.getProperty(key_property) ?? null;
  if (of_file !== null) return { key: of_file, place: 'file' };
  const of_account = stores.user.getProperty(key_property);
  return of_account === null ? null : { key: of_account, place: 'account' };
}

/** The pasted text without blanks around it, or null when no key looks like that. */
export function readKey(pasted: string): string | null {
  const key = pasted.trim();
  return key_form.test(key) ? key : null;
}

/** Keeps the key in one place. A key for the account takes the file's away, which would hide it. */
export function saveKey(stores: KeyStores, place: KeyPlace, key: string): void {
  if (place === 'account') {
    stores.document?.deleteProperty(key_property);
    stores.user.setProperty(key_property, key);
    return;
  }
  if (stores.document === null) throw new Error('A key can be kept in a file only while the file is open.');
  stores.document.setProperty(key_property, key);
}

/** Forgets the key in use and says where it was kept; null when there was none. */
export function forgetKey(stores: KeyStores): KeyPlace | null {
  const found = findKey(stores);
  if (found === null) return null;
  (found.place === 'file' ? stores.document : stores.user)?.deleteProperty(key_property);
  return found.place;
}

/** All of a key that people may see. */
export function lastFour(key: string): string {
  return `…${key.slice(-4)}`;
}
