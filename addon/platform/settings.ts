/** The part of a Properties store that keys need. */
export type KeyStore = {
  getProperty: (name: string) => string | null;
  setProperty: (name: string, value: string) => unknown;
  deleteProperty: (name: string) => unknown;
};

/** `document` is null where the script runs outside a file. In a formula `user` is the file owner's. */
export type KeyStores = { document: KeyStore | null; user: KeyStore; file_id: string | null };

/** `file`: every editor's formulas in this file use the key. `account`: what its holder does in the sidebar and menu. */
export type KeyPlace = 'file' | 'account';
export type SavedKey = { key: string; place: KeyPlace };

const keyProperty = 'api_key';
const formulasProperty = 'formulas_in_';
const keyForm = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;

/**
 * The key that formulas carry: the file's, else the one of the file's owner where the owner allowed it in this file.
 * It must never leave the bundle except as a header.
 */
export function findKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'file') ?? (formulasAllowed(stores) ? savedKey(stores, 'account') : null);
}

/** The key for what a person does in the menu or the sidebar: their own, else the file's. */
export function findActionKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'account') ?? savedKey(stores, 'file');
}

/** The key kept in one place; null when there is none. */
export function savedKey(stores: KeyStores, place: KeyPlace): SavedKey | null {
  const key = storeOf(stores, place)?.getProperty(keyProperty) ?? null;
  return key === null ? null : { key, place };
}

function storeOf(stores: KeyStores, place: KeyPlace): KeyStore | null {
  return place === 'file' ? stores.document : stores.user;
}

/** The pasted text without blanks around it, or null when no key looks like that. */
export function readKey(pasted: string): string | null {
  const key = pasted.trim();
  return keyForm.test(key) ? key : null;
}

/** Keeps the key in one place; the other place stays as it is. */
export function saveKey(stores: KeyStores, place: KeyPlace, key: string): void {
  const store = storeOf(stores, place);
  if (store === null) throw new Error('A key can be kept in a file only while the file is open.');
  store.setProperty(keyProperty, key);
}

/**
 * Whether formulas in this file may use the key of this person's account. It is kept with the account, so that nobody
 * else can allow it; it has an effect only for the owner of the file.
 */
export function formulasAllowed({ user, file_id }: KeyStores): boolean {
  return file_id !== null && user.getProperty(formulasProperty + file_id) !== null;
}

export function allowFormulas({ user, file_id }: KeyStores, allowed: boolean): void {
  if (file_id === null) throw new Error('Formulas can be allowed only while a file is open.');
  if (allowed) user.setProperty(formulasProperty + file_id, 'allowed');
  else user.deleteProperty(formulasProperty + file_id);
}

/** Forgets the key that actions use and says where it was kept; null when there was none. */
export function forgetKey(stores: KeyStores): KeyPlace | null {
  const found = findActionKey(stores);
  if (found !== null) forgetKeyIn(stores, found.place);
  return found?.place ?? null;
}

/** Forgets the key of one place; with the account's goes the permission for formulas in this file. */
export function forgetKeyIn(stores: KeyStores, place: KeyPlace): void {
  storeOf(stores, place)?.deleteProperty(keyProperty);
  if (place === 'account' && stores.file_id !== null) allowFormulas(stores, false);
}

/** All of a key that people may see. */
export function lastFour(key: string): string {
  return `…${key.slice(-4)}`;
}
