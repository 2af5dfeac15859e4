/** The functions of a property store of Apps Script that this module uses. */
export type KeyStore = {
  getProperty: (name: string) => string | null;
  setProperty: (name: string, value: string) => unknown;
  deleteProperty: (name: string) => unknown;
};

/**
 * The property stores of Apps Script in which API keys are saved. `document`: the store of the spreadsheet; null when
 * none is open. `user`: the store of the user; in a formula, the store of the spreadsheet's owner. `personal_keys`:
 * false when everyone who can edit the spreadsheet can also read these stores. No key is then saved with a user's
 * account.
 */
export type KeyStores = { document: KeyStore | null; user: KeyStore; file_id: string | null; personal_keys: boolean };

/**
 * The place where an API key is saved. `file`: in the spreadsheet, for the formulas of every editor. `account`: with
 * the user's Google account, for the sidebar and the menu.
 */
export type KeyLocation = 'file' | 'account';
export type SavedKey = { key: string; location: KeyLocation };

const keyProperty = 'api_key';
const formulasProperty = 'formulas_in_';
const keyPattern = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;

/**
 * Returns the API key for formulas: the key of the spreadsheet, or the owner's key if the owner allowed that for this
 * spreadsheet. A function that cells can call must not return this key, because every editor of the spreadsheet could
 * then read it.
 */
export function findKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'file') ?? (formulasAllowed(stores) ? savedKey(stores, 'account') : null);
}

/**
 * Returns the API key for the menu and the sidebar: the user's own key, or the key of the spreadsheet when the user has
 * none.
 */
export function findActionKey(stores: KeyStores): SavedKey | null {
  return savedKey(stores, 'account') ?? savedKey(stores, 'file');
}

/**
 * Returns the API key that is saved with the user's Google account or in the spreadsheet; null when no key is saved at
 * that location.
 */
export function savedKey(stores: KeyStores, location: KeyLocation): SavedKey | null {
  if (location === 'account' && !stores.personal_keys) return null;
  const key = storeOf(stores, location)?.getProperty(keyProperty) ?? null;
  return key === null ? null : { key, location };
}

function storeOf(stores: KeyStores, location: KeyLocation): KeyStore | null {
  return location === 'file' ? stores.document : stores.user;
}

/**
 * Returns the text that the user pasted, without spaces around it; null when the text does not have the form of an API
 * key.
 */
export function readKey(pasted: string): string | null {
  const key = pasted.trim();
  return keyPattern.test(key) ? key : null;
}

/**
 * Saves an API key with the user's Google account or in the spreadsheet. A key at the other location does not change.
 */
export function saveKey(stores: KeyStores, location: KeyLocation, key: string): void {
  const store = storeOf(stores, location);
  if (location === 'account' && !stores.personal_keys)
    throw new Error('This install does not save keys with an account. Save the key in the file.');
  if (store === null)
    throw new Error(
      'The key was not saved, because no spreadsheet is open: open the spreadsheet, and save the key there.',
    );
  store.setProperty(keyProperty, key);
}

/**
 * Returns true when the user allowed formulas in this spreadsheet to use the user's own API key. The permission is
 * saved with the user's account, so that no other user can give it. The permission has an effect only for the owner of
 * the spreadsheet.
 */
export function formulasAllowed({ user, file_id, personal_keys }: KeyStores): boolean {
  return personal_keys && file_id !== null && user.getProperty(formulasProperty + file_id) !== null;
}

/** Allows or forbids formulas in the open spreadsheet to use the user's own API key. Throws when no file is open. */
export function allowFormulas({ user, file_id }: KeyStores, allowed: boolean): void {
  if (file_id === null) throw new Error('Formulas can be allowed only while a file is open.');
  if (allowed) user.setProperty(formulasProperty + file_id, 'allowed');
  else user.deleteProperty(formulasProperty + file_id);
}

/**
 * Deletes an API key that an earlier version of the add-on saved with the user's account, when this kind of
 * installation may not keep such a key. Returns true when a key was deleted.
 */
export function removePersonalKey(stores: KeyStores): boolean {
  if (stores.personal_keys || stores.user.getProperty(keyProperty) === null) return false;
  forgetKeyIn(stores, 'account');
  return true;
}

/**
 * Deletes the API key that the menu and the sidebar use. Returns the location at which it was saved; null when no key
 * was saved.
 */
export function removeActionKey(stores: KeyStores): KeyLocation | null {
  const found = findActionKey(stores);
  if (found !== null) forgetKeyIn(stores, found.location);
  return found?.location ?? null;
}

/**
 * Deletes the API key that is saved with the user's Google account or in the spreadsheet. For the key of the account,
 * also forbids formulas to use it.
 */
export function forgetKeyIn(stores: KeyStores, location: KeyLocation): void {
  storeOf(stores, location)?.deleteProperty(keyProperty);
  if (location === 'account' && stores.file_id !== null) allowFormulas(stores, false);
}

/** Returns the last four characters of an API key, after "…". Users may see only this part of the key. */
export function lastFour(key: string): string {
  return `…${key.slice(-4)}`;
}
