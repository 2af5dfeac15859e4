import { isId } from '../../../pipeline/campaigns/campaigns.ts';
import { type Page, PageNotFound, type Visit } from '../ui/section.ts';

/** Why a form was refused, and its fields to fill in again. */
export interface Failed {
  problem: string;
  form?: FormData;
}

/** Shows the campaign page with the problem of the form that was sent. */
export type ShowCampaign = (visit: Visit, failed: Failed) => Promise<Page>;

/** Returns the text that was typed into the refused form, else `value`. */
export function typed(failed: Failed | null, name: string, value: string): string {
  const before = failed?.form?.get(name);
  return typeof before === 'string' ? before : value;
}

/** Returns an id from an address or a form. Throws PageNotFound when it is not a valid id. */
export function rowId(id: string | undefined): string {
  if (id === undefined || !isId(id)) throw new PageNotFound();
  return id;
}

export function readCampaignId({ campaign_id }: Visit['params']): string {
  return rowId(campaign_id);
}
