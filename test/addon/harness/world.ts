/**
 * The content of a cell. `type`: how Sheets treats the content, which decides its alignment, use in sums, and errors.
 */
export type CellState = {
  type: 'text' | 'number' | 'boolean' | 'date' | 'error';
  value: string | number | boolean;
  formula?: string;
  spilled_from?: string;
  /** The message of an error cell. */
  message?: string;
};

/** The cells of a sheet by A1 address. A blank cell is absent. */
export type Grid = Record<string, CellState>;

/**
 * The format of a cell, which may be blank. `number_format` is a pattern; the other properties have the names that
 * Sheets uses.
 */
export type Look = { number_format?: string; [property: string]: unknown };

/** A chart in a sheet. `ranges` and `anchor` count from 1. `options` includes the title. */
export type ChartState = {
  chart_id: number;
  type: string;
  ranges: { sheet_id: number; a1: string }[];
  headers: number;
  anchor: { row: number; column: number; x: number; y: number };
  options: Record<string, unknown>;
};

/**
 * A protection or a validation rule. With `editors`, only these people may change the cells. With `values`, the cells
 * accept only these values.
 */
export type Guard = { a1: string; editors: string[] } | { a1: string; values: (string | number | boolean)[] };

/** A sheet. `rows` and `columns` are the size of the grid; cells beyond them cannot be written. */
export type SheetState = {
  id: number;
  name: string;
  rows: number;
  columns: number;
  hidden: boolean;
  frozen_rows: number;
  hidden_gridlines?: boolean;
  grid: Grid;
  looks: Record<string, Look>;
  widths: Record<number, number>;
  charts: ChartState[];
  guards: Guard[];
  /** Hidden rows by row number, with the reason: a filter or the user. */
  hidden_rows: Record<number, 'filter' | 'user'>;
  /** Areas that are merged into one cell, in A1 notation. */
  merged: string[];
};

export type AuthMode = 'NONE' | 'LIMITED' | 'CUSTOM_FUNCTION' | 'FULL';

/** The caller of a function. Only menus and pages have a user interface. */
export type Caller = 'cell' | 'page' | 'menu' | 'trigger';

/** The user's answer to a coming dialog: the clicked button and the typed text. */
export type UiAnswer = { button: 'OK' | 'CANCEL' | 'YES' | 'NO' | 'CLOSE'; text?: string };

export type TriggerState = { id: string; handler: string; creator: string; every_ms: number; next_ms: number };

/**
 * All state that outlives one execution of the script. It is plain JSON, because only text is passed between the test
 * and the script.
 */
export type World = {
  now_ms: number;
  owner: string;
  user: string;
  /** The time zone of the file. */
  time_zone: string;
  locale: string;
  properties: { document: Record<string, string>; users: Record<string, Record<string, string>> };
  caches: Record<string, Record<string, { value: string; until_ms: number }>>;
  sheets: SheetState[];
  /** The active sheet. `a1` is the selection: a cell or an area. */
  current: { sheet: string; a1: string };
  /** The cell whose formula runs now; null outside formulas. */
  calling: { sheet: string; a1: string } | null;
  named_ranges: Record<string, { sheet: string; a1: string }>;
  /** The time (Unix ms) until which another execution holds the lock of the file. */
  lock_held_until_ms: number;
  /**
   * The triggers of this file. `other_triggers` are the same people's triggers in other files, which ScriptApp also
   * lists.
   */
  triggers: TriggerState[];
  other_triggers: TriggerState[];
  /** The URLs that the administrator of the user's organization allows; null when every URL is allowed. */
  admin_allowed_urls: string[] | null;
  /**
   * Set when the browser is signed in to several Google accounts: the default account, and what Google does with calls
   * from a page. `denied`: the calls fail. `as default`: the calls run as the default account.
   */
  several_accounts: { default_account: string; calls: 'denied' | 'as default' } | null;
  /** True in a test deployment of the add-on, where time-driven triggers neither run nor can be created. */
  test_deployment: boolean;
  /** The scopes of the manifest that the user has not granted. */
  refused_scopes: string[];
  manifest_scopes: string[];
  /** How often each method that writes into cells was called. */
  writes: Record<string, number>;
  /** How often the script called each method that Google answers slowly, such as Range.canEdit. */
  questions: Record<string, number>;
  /** Virtual milliseconds that each of the calls counted in `questions` takes. */
  question_ms: number;
  url_fetches: number;
  url_fetch_whitelist: string[];
  ui: {
    answers: UiAnswer[];
    shown: string[];
    menu: { label: string; handler: string }[];
    /** The open sidebar. `added`: HTML that was added to the page file when the sidebar opened. */
    sidebar: { file: string; title: string; added: string } | null;
  };
  log: string[];
};

/** A request of the script (UrlFetchApp), as the harness sends it over a socket. */
export type WireRequest = {
  url: string;
  headers: Record<string, string>;
  redirect: 'follow' | 'manual';
};
export type WireReply = { status: number; headers: Record<string, string>; text: string };
export type WireResult = { replies: WireReply[] } | { error: string };

/** The result of a call of the script: the returned value or the message of its error. */
export type Outcome = { value: unknown } | { error: string };

/** Returns the sheet with this name. Ignores case, as Sheets does. */
export function sheetNamed(world: World, name: string): SheetState | undefined {
  return world.sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
}

/** Returns an empty sheet with an unused id, in the size of a new sheet in Google Sheets. */
export function newSheet(world: Pick<World, 'sheets'>, name: string): SheetState {
  const id = world.sheets.length === 0 ? 0 : Math.max(...world.sheets.map((sheet) => sheet.id)) + 1_001;
  return {
    ...{ id, name, rows: 1_000, columns: 26, hidden: false, frozen_rows: 0 },
    ...{ grid: {}, looks: {}, widths: {}, charts: [], guards: [], hidden_rows: {}, merged: [] },
  };
}
