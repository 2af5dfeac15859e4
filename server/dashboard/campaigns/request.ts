import type { Problem } from '../ui/forms/field-problem.ts';
import { idOf, type Page, type Visit } from '../ui/section.ts';

/** A refused form: the reason, and the values to show in the form again. */
export interface Failed {
  problem: Problem;
  form?: FormData;
}

/** Returns the campaign page with the reason why a form was refused. */
export type ShowCampaign = (visit: Visit, failed: Failed) => Promise<Page>;

/** Returns the value that the user typed into the refused form. When no form was refused, returns `value`. */
export function typed(failed: Failed | null, name: string, value: string): string {
  const before = failed?.form?.get(name);
  return typeof before === 'string' ? before : value;
}

/** Returns the campaign id in the path of a page. Throws PageNotFound when the id is invalid. */
export function readCampaignId({ campaign_id }: Visit['params']): string {
  return idOf(campaign_id);
}
