/** `text`, `number`, … is what Sheets would right-align, add up or show as an error. */
export type CellState = {
  type: 'text' | 'number' | 'boolean' | 'date' | 'error';
  value: string | number | boolean;
  formula?: string;
  spilled_from?: string;
  /** What the hover of an error cell says. */
  message?: string;
};

/** Cells by A1 address; a blank cell is absent. */
export type Grid = Record<string, CellState>;

export type AuthMode = 'NONE' | 'LIMITED' | 'CUSTOM_FUNCTION' | 'FULL';

/** What the user does in the next dialog. */
export type UiAnswer = { button: 'OK' | 'CANCEL' | 'YES' | 'NO' | 'CLOSE'; text?: string };

/** Everything that outlives one execution. Plain JSON: only text crosses between the test and the script. */
export type World = {
  now_ms: number;
  owner: string;
  user: string;
  properties: { document: Record<string, string>; users: Record<string, Record<string, string>> };
  sheets: Record<string, Grid>;
  current: { sheet: string; a1: string };
  named_ranges: Record<string, { sheet: string; a1: string }>;
  url_fetches: number;
  url_fetch_whitelist: string[];
  ui: { answers: UiAnswer[]; shown: string[]; menu: { label: string; handler: string }[] };
  log: string[];
};

/** A request as UrlFetchApp hands it to the socket, and what comes back. */
export type WireRequest = {
  url: string;
  headers: Record<string, string>;
  timeout_ms: number;
  redirect: 'follow' | 'manual';
};
export type WireReply = { status: number; headers: Record<string, string>; text: string };
export type WireResult = { replies: WireReply[] } | { error: string };

/** What a call of the script came to. */
export type Outcome = { value: unknown } | { error: string };
