/** The functions of an Apps Script property store that this module uses. */
export type KeyStore = {
  getProperty: (name: string) => string | null;
  setProperty: (name: string, value: string) => unknown;
  deleteProperty: (name: string) => unknown;
};

/**
 * The property stores. `document` is null when no file is open. In a formula, `user` is the store of the file's owner.
 * `personal_keys`: false when everyone who can edit the file can also read these stores. Then no key is saved with an account.
 */
export type KeyStores = { document: KeyStore | null; user: KeyStore; file_id: string | null; personal_keys: boolean };

/**
 * Where a key is saved. `file`: the formulas of every editor of this file use it. `account`: the user's own key, for the
 * sidebar and menu.
 */
export type KeyLocation = 'file' | 'account';
export type SavedKey = { key: string; location: KeyLocation };

const keyProperty = 'api_key';
const formulasProperty = 'formulas_in_';
const keyForm = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;

/**
 * Returns the key for formulas: the key of the file, or the key of the file's owner if the owner allowed that for this file.
 * The key may be used only in a request header, because every editor of the file can call functions of the add-on from a
 * cell.
 */
export function findKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'file') ?? (formulasAllowed(stores) ? savedKey(stores, 'account') : null);
}

/** Returns the key for the menu and the sidebar: the user's own key, or the key of the file when the user has none. */
export function findActionKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'account') ?? savedKey(stores, 'file');
}

/** Returns the key that is saved with the user's account or in the file; null when no key is saved there. */
export function savedKey(stores: KeyStores, location: KeyLocation): SavedKey | null {
  if (location === 'account' && !stores.personal_keys) return null;
  const key = storeOf(stores, location)?.getProperty(keyProperty) ?? null;
  return key === null ? null : { key, location };
}

function storeOf(stores: KeyStores, location: KeyLocation): KeyStore | null {
  return location === 'file' ? stores.document : stores.user;
}

/** Returns the pasted text without spaces around it; null when it does not look like a key. */
export function readKey(pasted: string): string | null {
  const key = pasted.trim();
  return keyForm.test(key) ? key : null;
}

/** Saves the key with the user's account or in the file. A key in the other location does not change. */
export function saveKey(stores: KeyStores, location: KeyLocation, key: string): void {
  const store = storeOf(stores, location);
  if (location === 'account' && !stores.personal_keys)
    throw new Error('This install does not save keys with an account. Save the key in the file.');
  if (store === null) throw new Error('A key can be saved in a file only while the file is open.');
  store.setProperty(keyProperty, key);
}

/**
 * Returns true when the user allowed formulas in this file to use the user's own key. The permission is saved with the
 * account, so that no other user can give it. It has an effect only for the owner of the file.
 */
export function formulasAllowed({ user, file_id, personal_keys }: KeyStores): boolean {
  return personal_keys && file_id !== null && user.getProperty(formulasProperty + file_id) !== null;
}

export function allowFormulas({ user, file_id }: KeyStores, allowed: boolean): void {
  if (file_id === null) throw new Error('Formulas can be allowed only while a file is open.');
  if (allowed) user.setProperty(formulasProperty + file_id, 'allowed');
  else user.deleteProperty(formulasProperty + file_id);
}

/**
 * Removes a key that an earlier version saved with the account, when this install may not keep such a key. Returns true when
 * a key was removed.
 */
export function removePersonalKey(stores: KeyStores): boolean {
  if (stores.personal_keys || stores.user.getProperty(keyProperty) === null) return false;
  forgetKeyIn(stores, 'account');
  return true;
}

/** Forgets the key that the menu and the sidebar use. Returns where it was saved; null when no key was saved. */
export function forgetKey(stores: KeyStores): KeyLocation | null {
  const found = findActionKey(stores);
  if (found !== null) forgetKeyIn(stores, found.location);
  return found?.location ?? null;
}

/** Forgets the key that is saved with the user's account or in the file. For the key of the account, also withdraws the permission of formulas to use it. */
export function forgetKeyIn(stores: KeyStores, location: KeyLocation): void {
  storeOf(stores, location)?.deleteProperty(keyProperty);
  if (location === 'account' && stores.file_id !== null) allowFormulas(stores, false);
}

/** Returns the last four characters of a key, the only part that users may see. */
export function lastFour(key: string): string {
  return `…${key.slice(-4)}`;
}
