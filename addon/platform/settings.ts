/** The members of a Properties store that this module uses. */
export type KeyStore = {
  getProperty: (name: string) => string | null;
  setProperty: (name: string, value: string) => unknown;
  deleteProperty: (name: string) => unknown;
};

/** `document` is null when the script runs outside a file. In a formula, `user` belongs to the owner of the file. */
export type KeyStores = { document: KeyStore | null; user: KeyStore; file_id: string | null };

/** `file`: formulas of every editor of this file use the key. `account`: the user's own key, for the sidebar and the menu. */
export type KeyLocation = 'file' | 'account';
export type SavedKey = { key: string; location: KeyLocation };

const keyProperty = 'api_key';
const formulasProperty = 'formulas_in_';
const keyForm = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;

/**
 * Returns the key for formulas: the key of the file, else the key of its owner if the owner allowed that in this file.
 * The key may leave the bundle only as a request header.
 */
export function findKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'file') ?? (formulasAllowed(stores) ? savedKey(stores, 'account') : null);
}

/** Returns the key for the menu and the sidebar: the user's own key, else the key of the file. */
export function findActionKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'account') ?? savedKey(stores, 'file');
}

/** Returns the key saved with the account or in the file; null when no key is saved. */
export function savedKey(stores: KeyStores, location: KeyLocation): SavedKey | null {
  const key = storeOf(stores, location)?.getProperty(keyProperty) ?? null;
  return key === null ? null : { key, location };
}

function storeOf(stores: KeyStores, location: KeyLocation): KeyStore | null {
  return location === 'file' ? stores.document : stores.user;
}

/** Returns the pasted text trimmed; null when it does not have the form of a key. */
export function readKey(pasted: string): string | null {
  const key = pasted.trim();
  return keyForm.test(key) ? key : null;
}

/** Saves the key with the account or in the file, without changing the other one. */
export function saveKey(stores: KeyStores, location: KeyLocation, key: string): void {
  const store = storeOf(stores, location);
  if (store === null) throw new Error('A key can be saved in a file only while the file is open.');
  store.setProperty(keyProperty, key);
}

/**
 * Returns true when formulas in this file may use the key of the user's account. The permission is saved with the
 * account, so that no other user can give it, and only that of the file's owner has an effect.
 */
export function formulasAllowed({ user, file_id }: KeyStores): boolean {
  return file_id !== null && user.getProperty(formulasProperty + file_id) !== null;
}

export function allowFormulas({ user, file_id }: KeyStores, allowed: boolean): void {
  if (file_id === null) throw new Error('Formulas can be allowed only while a file is open.');
  if (allowed) user.setProperty(formulasProperty + file_id, 'allowed');
  else user.deleteProperty(formulasProperty + file_id);
}

/** Forgets the key of the menu and the sidebar and returns where it was saved; null when no key was saved. */
export function forgetKey(stores: KeyStores): KeyLocation | null {
  const found = findActionKey(stores);
  if (found !== null) forgetKeyIn(stores, found.location);
  return found?.location ?? null;
}

/** Forgets the key saved with the account or in the file. For the account, also removes the permission for formulas. */
export function forgetKeyIn(stores: KeyStores, location: KeyLocation): void {
  storeOf(stores, location)?.deleteProperty(keyProperty);
  if (location === 'account' && stores.file_id !== null) allowFormulas(stores, false);
}

/** Returns the part of a key that users may see. */
export function lastFour(key: string): string {
  return `…${key.slice(-4)}`;
}
