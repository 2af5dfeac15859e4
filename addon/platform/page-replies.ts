import type { KeyLocation } from './settings.ts';

/** A failure for the page. `message` says what to do. */
export type PageFailure = { ok: false; message: string };

/** The public details of a key, never the key itself. `problem`: a sentence when the server did not accept the key. */
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

/** `uses`: the key that the sidebar uses. `formulas`: the key that formulas use if this user owns the file. */
export type Account = {
  ok: true;
  server: string;
  keys: Record<KeyLocation, KeyView | null>;
  uses: KeyLocation | null;
  formulas: KeyLocation | null;
  formulas_allowed: boolean;
  low: string | null;
};

/** A fill as the page shows it. `removed`: rows that a user deleted from the sheet in the meantime. */
export type FillView = {
  id: string;
  mode: string;
  total: number;
  done: number;
  ok: number;
  failed: number;
  removed: number;
  credits: number;
  finished: boolean;
};

/** `wait_s`: seconds until the next chunk may be requested. `stopped`: why the fill cannot continue without the user. */
export type FillReply = {
  ok: true;
  job: FillView | null;
  wait_s: number | null;
  wait_reason: string | null;
  stopped: string | null;
};
