import type { Sql } from 'postgres';
import { addTarget, maxTargets, type SheetMode } from '../../db/deliveries/sheet-targets.ts';
import { isId } from '../campaigns/campaigns.ts';

export interface TargetWish {
  /** One of the two. */
  campaign_id?: string;
  list_id?: string;
  /** The spreadsheet's address, or its id alone. */
  spreadsheet: string;
  /** The tab; made when it is missing. */
  sheet_name: string;
  mode: string;
}

export type TargetMade =
  | { ok: true; target_id: string }
  | { ok: false; code: 'INVALID_INPUT' | 'RESOURCE_NOT_FOUND'; message: string };

const maxSheetNameLength = 100;
const spreadsheetId = /^[A-Za-z0-9_-]{20,100}$/;
const addressedId = /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)/;

/** Names a spreadsheet for a campaign or a list of the workspace; `message` is one sentence for the person who asked. */
export async function createTarget(sql: Sql, workspaceId: string, wish: TargetWish): Promise<TargetMade> {
  const { campaign_id = null, list_id = null, sheet_name, mode } = wish;
  const spreadsheet_id = readSpreadsheet(wish.spreadsheet);
  if ([campaign_id, list_id].filter((id) => id !== null).length !== 1) return invalid('Name one campaign or one list.');
  if (spreadsheet_id === null) return invalid('Send the address of a Google spreadsheet, or its id.');
  if (!isSheetName(sheet_name)) return invalid(`Name a tab of 1 to ${maxSheetNameLength} characters.`);
  if (!isMode(mode)) return invalid('Choose the mode append or replace.');
  if (!isId(campaign_id ?? list_id ?? '')) return unknown();
  const added = await addTarget(sql, workspaceId, { campaign_id, list_id, spreadsheet_id, sheet_name, mode });
  if (added.target_id !== null) return { ok: true, target_id: added.target_id };
  if (added.reason === 'unknown') return unknown();
  return invalid(`A workspace has at most ${maxTargets} spreadsheets: remove one first.`);
}

/** The id in a spreadsheet's address, or the id itself; null when it is neither. */
export function readSpreadsheet(text: string): string | null {
  const id = addressedId.exec(text.trim())?.[1] ?? text.trim();
  return spreadsheetId.test(id) ? id : null;
}

function isSheetName(name: string): boolean {
  return name.trim() === name && name !== '' && name.length <= maxSheetNameLength && !/\p{Cc}/u.test(name);
}

function isMode(mode: string): mode is SheetMode {
  return mode === 'append' || mode === 'replace';
}

function invalid(message: string): TargetMade {
  return { ok: false, code: 'INVALID_INPUT', message };
}

function unknown(): TargetMade {
  return { ok: false, code: 'RESOURCE_NOT_FOUND', message: 'The workspace has no such campaign or list.' };
}
