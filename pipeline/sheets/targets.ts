import type { Sql } from 'postgres';
import { addTarget, maxTargets, type SheetMode, type Spreadsheet } from '../../db/deliveries/sheet-targets.ts';
import { isId } from '../../db/ids.ts';
import { isOneLine } from '../parse/text.ts';
import type { JobItem } from '../queue/job.ts';
import { isPermissionTab } from './permission-tab.ts';

interface TargetInput {
  /**
   * The ID of the campaign whose weekly reports are written. Exactly one of `campaign_id` and `list_id` must be set.
   */
  campaign_id?: string;
  list_id?: string;
  /** The URL or the ID of the Google spreadsheet. */
  spreadsheet: string;
  /** The name of the tab into which the rows are written. A missing tab is created when rows are written. */
  sheet_name: string;
  mode: string;
}

type CreateTargetResult =
  | { ok: true; target_id: string }
  | { ok: false; code: 'INVALID_INPUT' | 'RESOURCE_NOT_FOUND'; field: keyof TargetInput | null; message: string };

export const maxSheetNameLength = 100;
export const reservedTab =
  'This tab name is reserved: a tab with this name shows that a workspace may write to the spreadsheet. Choose another name.';
const spreadsheetIdPattern = /^[A-Za-z0-9_-]{20,100}$/;
const spreadsheetUrlPattern = /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)/;

/**
 * Stores that the weekly reports of a campaign, or a list of tracked items once a day, are written into a spreadsheet
 * from now on. When the spreadsheet is refused, `message` tells the user why in one sentence.
 */
export async function createTarget(sql: Sql, workspaceId: string, input: TargetInput): Promise<CreateTargetResult> {
  const { campaign_id = null, list_id = null, sheet_name, mode } = input;
  const spreadsheetId = readSpreadsheet(input.spreadsheet);
  if ([campaign_id, list_id].filter((id) => id !== null).length !== 1)
    return invalid('Select one campaign or one list.');
  if (spreadsheetId === null) {
    return invalid('This is not a Google spreadsheet: use its link from the browser, or its ID.', 'spreadsheet');
  }
  if (!isSheetName(sheet_name))
    return invalid(
      `The tab name is empty, too long or has spaces at its ends: use 1 to ${maxSheetNameLength} characters.`,
      'sheet_name',
    );
  if (isPermissionTab(sheet_name)) return invalid(reservedTab, 'sheet_name');
  if (!isMode(mode)) return invalid('The mode is unknown: choose append or replace.', 'mode');
  if (!isId(campaign_id ?? list_id ?? '')) return unknown();
  const added = await addTarget(sql, workspaceId, {
    campaign_id,
    list_id,
    spreadsheet_id: spreadsheetId,
    sheet_name,
    mode,
  });
  if (added.target_id !== null) return { ok: true, target_id: added.target_id };
  if (added.reason === 'unknown') return unknown();
  return invalid(`A workspace can push to at most ${maxTargets} spreadsheets: remove one first.`);
}

/** Returns the ID of a Google spreadsheet from its URL or ID. Returns null when the text is neither. */
export function readSpreadsheet(text: string): string | null {
  const id = spreadsheetUrlPattern.exec(text.trim())?.[1] ?? text.trim();
  return spreadsheetIdPattern.test(id) ? id : null;
}

/**
 * Returns true when Google Sheets accepts the name for a tab as it is: not empty, not too long, no spaces at its ends,
 * no control characters.
 */
export function isSheetName(name: string): boolean {
  return name.trim() === name && name !== '' && name.length <= maxSheetNameLength && isOneLine(name);
}

function isMode(mode: string): mode is SheetMode {
  return mode === 'append' || mode === 'replace';
}

function invalid(message: string, field: keyof TargetInput | null = null): CreateTargetResult {
  return { ok: false, code: 'INVALID_INPUT', field, message };
}

function unknown(): CreateTargetResult {
  return {
    ok: false,
    code: 'RESOURCE_NOT_FOUND',
    field: null,
    message: 'This workspace has no campaign or list with this ID: check the ID.',
  };
}

/** Returns the item of the job push-sheets that writes all due data into one spreadsheet. */
export function pushItem({ workspace_id, spreadsheet_id }: Spreadsheet): JobItem {
  return { key: `${workspace_id}/${spreadsheet_id}`, data: { workspace_id, spreadsheet_id } };
}
