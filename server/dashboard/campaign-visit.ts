import { isId } from '../../pipeline/campaigns.ts';
import { type Page, PageNotFound, type Visit } from './section.ts';

/** Why a form was not carried out, with what was typed into it. */
export interface Failed {
  problem: string;
  form?: FormData;
}

/** The page of the campaign that a visit names, with what is wrong with the form that was sent. */
export type ShowCampaign = (visit: Visit, failed: Failed) => Promise<Page>;

/** What was typed into a field before, else `value`. */
export function typed(failed: Failed | null, name: string, value: string): string {
  const before = failed?.form?.get(name);
  return typeof before === 'string' ? before : value;
}

/** The id of a row in an address or a form; anything else is not there. */
export function rowId(id: string | undefined): string {
  if (id === undefined || !isId(id)) throw new PageNotFound();
  return id;
}

/** The campaign that an address names. */
export function campaignId({ campaign_id }: Visit['params']): string {
  return rowId(campaign_id);
}
