import type { KeyLocation } from './settings.ts';

/** The answer to the sidebar when a call failed. `message` says what the user can do. */
export type PageFailure = { ok: false; message: string };

/** The details of a key that users may see, never the key itself. `problem`: a sentence when the server did not accept the key. */
export type KeyView = {
  last_four: string;
  problem: string | null;
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
