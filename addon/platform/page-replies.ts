import type { KeyLocation } from './settings.ts';

/**
 * How the add-on is installed. `bound`: its script is attached to one spreadsheet, so everyone who can edit the spreadsheet
 * can also edit the script and read what it stores. `addon`: a separate script project that serves many spreadsheets.
 */
export type InstallKind = 'bound' | 'addon';

/** A page that explains or solves a problem, for a button below the sentence about the problem. */
export type PageLink = { label: string; url: string };

/** The answer to the sidebar when a call failed. `message` says what the user can do. `code`: the cause, see failure-sentence.ts. */
export type PageFailure = { ok: false; message: string; code?: string; link?: PageLink };

/** The details of a key that users may see, never the key itself. `problem`: why the server did not accept the key; null when it did. `problem_link`: a page that helps. */
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

/** The connected keys. `uses`: the key that the sidebar uses. `formulas`: the key that formulas use when this user owns the file. */
export type Account = {
  ok: true;
  server: string;
  install: InstallKind;
  /** An ID of the Google account that made the call. It does not say who the user is. The sidebar compares it with the ID of the account that opened it. */
  opened_by: string;
  /** A sentence about a key that was removed because this install may not keep it; null when no key was removed. */
  notice: string | null;
  keys: Record<KeyLocation, KeyView | null>;
  uses: KeyLocation | null;
  formulas: KeyLocation | null;
  formulas_allowed: boolean;
  low: string | null;
};

/** The estimated cost. `cost_max` is higher than `cost_min` when the estimate does not include every row. */
export type Estimate = {
  ok: true;
  rows: number;
  cost_min: number;
  cost_max: number;
  cached_rows: number;
  unreadable_rows: number;
  note: string | null;
};
