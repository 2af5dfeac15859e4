import type { KeyPlace } from './settings.ts';

/** Every failure that a page is told: what to do, in plain words. */
export type PageFailure = { ok: false; message: string };

/** What people may know of a key: never the key. `problem` is a sentence where the server did not accept it. */
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

/** `uses`: whose key the sidebar works with. `formulas`: whose key formulas in this file use when this person owns it. */
export type Account = {
  ok: true;
  server: string;
  keys: Record<KeyPlace, KeyView | null>;
  uses: KeyPlace | null;
  formulas: KeyPlace | null;
  formulas_allowed: boolean;
  low: string | null;
};

/** A fill as the page shows it. `gone`: rows that a person took out of the sheet meanwhile. */
export type FillView = {
  id: string;
  mode: string;
  total: number;
  done: number;
  ok: number;
  failed: number;
  gone: number;
  credits: number;
  finished: boolean;
};

/** `wait_s`: when the next chunk may be asked for. `stopped`: why the fill cannot go on by itself. */
export type FillReply = {
  ok: true;
  job: FillView | null;
  wait_s: number | null;
  wait_reason: string | null;
  stopped: string | null;
};
