import type { KeyLocation } from './settings.ts';

/**
 * The kind of installation of the add-on. `bound`: its script is attached to one spreadsheet, so everyone who can edit
 * the spreadsheet can also edit the script and read what it stores. `addon`: a separate script project that serves many
 * spreadsheets.
 */
export type InstallKind = 'bound' | 'addon';

/** A page that explains or solves a problem. The sidebar shows a link to it below the sentence about the problem. */
export type PageLink = { label: string; url: string };

/**
 * The answer that the sidebar gets when a call to the add-on's server code failed. `message`: a sentence that says what
 * the user can do. `code`: the cause, see failure-sentence.ts.
 */
export type PageFailure = { ok: false; message: string; code?: string; link?: PageLink };

/**
 * The details of an API key that users may see, but never the whole key. `problem`: why the server did not accept the
 * key; null when it did. `problem_link`: a page that helps.
 */
export type KeyView = {
  last_four: string;
  problem: string | null;
  problem_link: PageLink | null;
  workspace: string | null;
  tier: string | null;
  kind: string | null;
  name: string | null;
  credits: number | null;
  monthly_cap: number | null;
  cap_used: number | null;
};

/**
 * The saved API keys. `uses`: the location of the key that the sidebar uses. `formulas`: the location of the key that
 * formulas use when this user owns the spreadsheet. `low`: a warning that few credits are left; null for no warning.
 */
export type Account = {
  ok: true;
  server: string;
  install: InstallKind;
  /**
   * An ID of the Google account that made the call, which does not reveal who the user is. The sidebar compares it with
   * the ID of the account that opened the sidebar.
   */
  opened_by: string;
  /**
   * A sentence about a saved key that was deleted because this kind of installation may not keep it; null when no key
   * was deleted.
   */
  notice: string | null;
  keys: Record<KeyLocation, KeyView | null>;
  uses: KeyLocation | null;
  formulas: KeyLocation | null;
  formulas_allowed: boolean;
  low: string | null;
};

/**
 * The estimated cost, in credits, of a formula or an import. `cost_max` is higher than `cost_min` when the estimate
 * does not include every row.
 */
export type Estimate = {
  ok: true;
  rows: number;
  cost_min: number;
  cost_max: number;
  cached_rows: number;
  unreadable_rows: number;
  note: string | null;
};
