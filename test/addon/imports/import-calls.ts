import type { ImportsReply, ImportView, RunReply } from '../../../addon/imports/views.ts';
import type { PageFailure } from '../../../addon/platform/page-replies.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { type AddonSetup, setKey } from '../spreadsheet-setup.ts';

export const cells = (a1: string, open = false, sheet = 'Sheet1') => ({ cells: { sheet, a1, open }, heading: false });

/**
 * The settings of an import as the sidebar sends them. The import writes profile data next to the URLs in A2 and below.
 */
export const usual = {
  ...{ name: 'Creators', kind: 'profiles', platform: '', limit: '', mode: 'replace', target: null, max_age: '1d' },
  ...{ with_hidden: false, schedule: null, fields: ['followers', 'account_id', 'bio', 'retrieved_at'] },
};

export function ask<Reply>(file: SpreadsheetFile, name: string, ...args: unknown[]): Reply | PageFailure {
  return file.run(name, args) as Reply | PageFailure;
}

/** Calls a function of the sidebar. Throws when its reply is a failure. */
export function must<Reply extends { ok: true }>(file: SpreadsheetFile, name: string, ...args: unknown[]): Reply {
  const reply = ask<Reply>(file, name, ...args);
  if (!reply.ok) throw new Error(reply.message);
  return reply as Reply;
}

/** Saves an import and returns its ID. */
export function save(file: SpreadsheetFile, choice: Record<string, unknown>): string {
  return must<ImportsReply & { id: string }>(file, 'sidebarImportSave', { ...usual, ...choice }).id;
}

export function refusal(file: SpreadsheetFile, choice: Record<string, unknown>): string {
  const reply = ask(file, 'sidebarImportSave', { ...usual, ...choice });
  return (reply as PageFailure).message;
}

export const start = (file: SpreadsheetFile, id: string) => must<RunReply>(file, 'sidebarImportStart', id);
export const step = (file: SpreadsheetFile, id: string) => must<RunReply>(file, 'sidebarImportStep', id);

/** Runs a saved import until it is finished or stops. */
export function run(file: SpreadsheetFile, id: string): RunReply {
  let reply = start(file, id);
  while (!reply.run.finished && (reply.stopped === null || reply.run.done === 0) && reply.wait_s === null) {
    reply = step(file, id);
    if (reply.stopped !== null) break;
  }
  return reply;
}

export function view(file: SpreadsheetFile, id: string): ImportView {
  const found = must<ImportsReply>(file, 'sidebarImports').imports.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no import ${id}`);
  return found;
}

/** Returns the names of the document properties in which the file stores its imports. */
export function importProperties(file: SpreadsheetFile): string[] {
  return Object.keys(file.world().properties.document).filter((name) => name.startsWith('import_'));
}

/** Opens a file with an API key, and with URLs in A2 and below, under the heading "Profile". */
export async function openWithUrls(setup: AddonSetup, ...urls: string[]): Promise<SpreadsheetFile> {
  const file = await setup.open();
  setKey(file);
  file.type('A1', 'Profile', ...urls);
  return file;
}

/** Returns data of invented people for the fake API, by profile URL. */
export function invented(count: number): Record<string, Record<string, unknown>> {
  const numbered = Array.from({ length: count }, (_, index) => [
    `https://photo.example/p${index}`,
    { platform: 'photo', account_id: `9007199254740993${index}`, followers: index, bio: `person ${index}` },
  ]);
  return Object.fromEntries(numbered);
}
