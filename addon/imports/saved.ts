import { asObject } from '../platform/client.ts';
import { fileStore } from '../platform/file-store.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import { utf8Bytes } from '../text.ts';
import type { SavedImport } from './saved-import.ts';

/** Maximum bytes of one part of a list that the user typed. Apps Script stores at most 9 KB in one property. */
const maxPartBytes = 8_000;
/**
 * Maximum bytes of a list that the user typed for an import. Apps Script stores at most 500 KB in all properties of a
 * spreadsheet.
 */
const maxListBytes = 100_000;
const maxImports = 30;
const prefix = 'import_';

/**
 * Returns the name of the property of the spreadsheet that stores one part of an import, such as its run. Without
 * `part`, the property contains the import itself.
 */
export function propertyOf(id: string, part = ''): string {
  return part === '' ? prefix + id : `${prefix}${id}_${part}`;
}

/** Returns a new ID for an import. The names of the import's named ranges contain it. */
export function newImportId(): string {
  return `${network.now().toString(36)}${Math.floor(network.random() * 1e6).toString(36)}`;
}

/**
 * Returns the input when it has the form of an ID that the sidebar made, otherwise null. The sidebar makes the IDs of
 * new imports and runs. When an answer was lost and the sidebar repeats the call with the same ID, the add-on finds
 * what the first call saved.
 */
export function readId(input: unknown): string | null {
  return typeof input === 'string' && /^[a-z0-9]{8,40}$/.test(input) ? input : null;
}

/** Returns all saved imports of this spreadsheet, sorted by name. */
export function savedImports(): SavedImport[] {
  const all = importIds()
    .sort()
    .flatMap((id) => findImport(id) ?? []);
  return all.sort((a, b) => a.name.localeCompare(b.name));
}

function importIds(): string[] {
  return propertyNames()
    .filter((name) => /^import_[a-z0-9]+$/.test(name))
    .map((name) => name.slice(prefix.length));
}

function propertyNames(): string[] {
  return PropertiesService.getDocumentProperties().getKeys();
}

/** Returns a saved import, including the list that the user typed; null when the import was deleted. */
export function findImport(id: unknown): SavedImport | null {
  const store = fileStore();
  const text = store.getProperty(propertyOf(String(id)));
  const saved = text === null ? null : (asObject(JSON.parse(text)) as SavedImport | null);
  if (saved === null || !('list' in saved.source)) return saved;
  const list: string[] = [];
  for (let part = 0; ; part++) {
    const entries: unknown = JSON.parse(store.getProperty(propertyOf(saved.id, `list_${part}`)) ?? 'null');
    if (!Array.isArray(entries)) break;
    list.push(...entries.map(String));
  }
  return { ...saved, source: { list } };
}

/** Returns a saved import. @throws PlainError when it was deleted in the meantime. */
export function requireImport(id: unknown): SavedImport {
  const saved = findImport(id);
  if (saved === null)
    throw new PlainError('This import was removed in another window. Open the list of imports again.');
  return saved;
}

/**
 * Saves an import and the list that the user typed. The caller must hold the lock of the spreadsheet.
 *
 * @throws PlainError when there is no space left.
 */
export function saveImport(saved: SavedImport): void {
  const ids = importIds();
  if (!ids.includes(saved.id) && ids.length >= maxImports) {
    throw new PlainError(`This file has ${maxImports} imports, which is the limit. Remove one first.`);
  }
  const { source } = saved;
  const parts = 'list' in source ? listParts(source.list) : [];
  const values = Object.fromEntries(
    parts.map((part, index) => [propertyOf(saved.id, `list_${index}`), JSON.stringify(part)]),
  );
  // `null` marks the end of the list. Parts of an earlier, longer list can follow it until they are deleted below.
  const end = { [propertyOf(saved.id, `list_${parts.length}`)]: 'null' };
  const slim: SavedImport = 'list' in source ? { ...saved, source: { list: [] } } : saved;
  setFileProperties({ ...values, ...end, [propertyOf(saved.id)]: JSON.stringify(slim) });
  // Deletes the properties `fill`, `fill_0` and so on, in which earlier versions of the add-on stored unfinished work.
  deleteProperties((name) => /^fill(_\d+)?$/.test(name));
  deleteProperties((name) => name.startsWith(propertyOf(saved.id, 'list_')) && !(name in values));
}

/**
 * Changes a saved import, but not the list that the user typed. Does nothing when the import was deleted. The caller
 * must hold the lock of the spreadsheet.
 */
export function updateImport(id: string, change: Partial<SavedImport>): void {
  const text = fileStore().getProperty(propertyOf(id));
  if (text === null) return;
  fileStore().setProperty(propertyOf(id), JSON.stringify({ ...JSON.parse(text), ...change }));
}

/**
 * Sets several properties of the spreadsheet in one call. Even when Google stops the script, either all properties are
 * set or none.
 */
export function setFileProperties(values: Record<string, string>): void {
  try {
    PropertiesService.getDocumentProperties().setProperties(values);
  } catch (error) {
    network.log(`Google refused to save the properties of the file: ${String(error)}`);
    throw new PlainError(
      'The list of imports in this file is full. Remove an import, or put a long list of links into cells and select these cells.',
    );
  }
}

/**
 * Deletes an import and everything that belongs to it. The import itself is deleted first, so that no incomplete import
 * is left when Google stops the script.
 */
export function deleteSavedImport(id: string): void {
  fileStore().deleteProperty(propertyOf(id));
  deleteProperties((name) => name.startsWith(propertyOf(id, 'list_')));
  deleteRun(id);
}

/**
 * Deletes the unfinished run of an import. The run is deleted before its marks (hashes of finished entries), because a
 * run without marks would request its rows again.
 */
export function deleteRun(id: string): void {
  fileStore().deleteProperty(propertyOf(id, 'run'));
  deleteProperties((name) => name.startsWith(propertyOf(id, 'run_')));
}

function deleteProperties(isObsolete: (name: string) => boolean): void {
  for (const name of propertyNames().filter(isObsolete)) fileStore().deleteProperty(name);
}

function listParts(list: readonly string[]): string[][] {
  if (utf8Bytes(JSON.stringify(list)) > maxListBytes) {
    throw new PlainError('This list is too long to be saved. Put it into a sheet and pick its cells.');
  }
  return partsOf(list, maxPartBytes);
}

/**
 * Splits a list of texts, in order, into parts. Each part fits into one property of Apps Script, which is limited to
 * `maxBytes` bytes.
 */
function partsOf(texts: readonly string[], maxBytes: number): string[][] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = utf8Bytes(JSON.stringify(text)) + 1;
    const last = parts[parts.length - 1];
    if (last !== undefined && bytes + size <= maxBytes) {
      last.push(text);
      bytes += size;
    } else {
      parts.push([text]);
      bytes = size;
    }
  }
  return parts;
}
