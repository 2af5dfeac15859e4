import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { address, addressTable, readAddress, readArea } from './a1.ts';
import { isDateFormat } from './dates.ts';
import { loadScript } from './execute.ts';
import { openBlockingHttp } from './http.ts';
import { move } from './inside/sheet.ts';
import { asPageUser, crossing } from './page-crossing.ts';
import type { ScriptParts } from './script-parts.ts';
import {
  currentSheet,
  isReachable,
  markLoading,
  recalculate,
  run,
  runInCell,
  type Session,
  typeInto,
} from './session.ts';
import {
  type AuthMode,
  type Guard,
  newSheet,
  type SheetState,
  sheetNamed,
  type UiAnswer,
  type World,
} from './world.ts';

type Input = string | number | boolean;

/**
 * The people of a file: `owner` owns the file, `user` works in it. `owner` is "" in a shared drive, where a file has no
 * owner.
 */
export type People = { owner: string; user: string };

const onePerson: People = { owner: 'owner@example.com', user: 'owner@example.com' };

export type SpreadsheetFile = Awaited<ReturnType<typeof openFile>>;

/**
 * Opens a spreadsheet with the built add-on in the folder `dist`. Every call runs Code.js in a new global scope; its
 * changes to the file are kept. Close the file to stop its worker thread.
 *
 * @param parts the parts of the script, when another thread has created them.
 */
export async function openFile(dist: string, people: People = onePerson, parts?: ScriptParts) {
  return fileOf(await openSession(dist, people, parts));
}

/** Opens a spreadsheet as a session, for {@link fileOf} or for formulas that run in parallel. */
export async function openSession(dist: string, people: People = onePerson, parts?: ScriptParts): Promise<Session> {
  const manifest: { urlFetchWhitelist: string[]; oauthScopes?: string[] } = JSON.parse(
    await readFile(join(dist, 'appsscript.json'), 'utf8'),
  );
  return {
    script: await loadScript(await readFile(join(dist, 'Code.js'), 'utf8'), parts),
    http: openBlockingHttp(),
    world: newWorld(people, manifest.urlFetchWhitelist, manifest.oauthScopes ?? []),
    seen_arguments: new Map(),
    pauses: new Map(),
  };
}

export function fileOf(session: Session) {
  return {
    ...scriptCalls(session),
    ...userCalls(session),
    ...fileMethods(session),
    ...eyes(session),
    close: () => session.http.close(),
  };
}

function scriptCalls(session: Session) {
  return {
    /** Runs a custom function as a formula in a cell. */
    cell: (name: string, args: unknown[]): unknown => runInCell(session, name, args),
    /**
     * Calls a function as a click on its menu entry does. With another `mode`, the function has the permissions of that
     * mode, as when Google opens a file.
     */
    call(name: string, mode: AuthMode = 'FULL', args: unknown[] = []): unknown {
      const value = run(session, { mode, caller: mode === 'CUSTOM_FUNCTION' ? 'cell' : 'menu', name, args });
      recalculate(session);
      return value;
    },
    /** Calls a function as `google.script.run` of a page does. */
    run(name: string, args: unknown[]): unknown {
      if (!isReachable(session, name)) throw new Error(`${name} is not callable from a page`);
      const value = asPageUser(session, () =>
        run(session, { mode: 'FULL', caller: 'page', name, args: crossing(args) }),
      );
      recalculate(session);
      return value;
    },
    /**
     * Runs the due triggers, each as the user who created it, and returns their results. Sends no mail about failures.
     */
    fireTriggers(): string[] {
      if (session.world.test_deployment) return [];
      const due = session.world.triggers.filter(({ next_ms }) => next_ms <= session.world.now_ms);
      return due.map((trigger) => fire(session, trigger.id));
    },
    /**
     * Runs `work` once, the next time that a function of the script calls the Google service `at`, such as
     * `Lock.tryLock` or `Properties.setProperty NAME`. `work` can run another function of the script, as if both ran at
     * the same time. The work runs before the call, except for `UrlFetchApp.fetchAll`: there the server has already
     * answered.
     */
    meanwhile: (at: string, work: () => void) => void session.pauses.set(at, work),
    /**
     * Makes Google stop the script at its next call of the service `at` (see `meanwhile`). The script cannot catch this
     * stop. Limitation: requests that the script would send after the stop still reach the server.
     */
    stopAt: (at: string) => void session.pauses.set(at, 'stop'),
    callable: session.script.callable,
  };
}

function fire(session: Session, triggerId: string): string {
  const trigger = session.world.triggers.find(({ id }) => id === triggerId);
  if (trigger === undefined) return 'deleted';
  while (trigger.next_ms <= session.world.now_ms) trigger.next_ms += trigger.every_ms;
  const atTheKeyboard = session.world.user;
  session.world.user = trigger.creator;
  try {
    run(session, { mode: 'FULL', caller: 'trigger', name: trigger.handler, args: [{ triggerUid: triggerId }] });
    recalculate(session);
    return 'done';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    session.world.user = atTheKeyboard;
  }
}

function userCalls(session: Session) {
  return {
    /** Types values into a cell and the cells below it, then lets the file recalculate. */
    type(a1: string, ...inputs: Input[]): void {
      const { row, column } = readAddress(a1);
      inputs.forEach((input, index) => {
        typeInto(session, address({ row: row + index, column }), input);
      });
      recalculate(session);
    },
    /** Reopens the file. Sheets may then run every formula again. */
    reopen(): void {
      session.seen_arguments.clear();
      markLoading(session);
      recalculate(session);
    },
    /** Sets the answers that the user will give in the next dialogs. */
    answer(...answers: UiAnswer[]): void {
      session.world.ui.answers.push(...answers);
    },
    /** Selects a cell or an area of the active sheet. */
    select(a1: string): void {
      session.world.current.a1 = a1;
    },
    /** Adds rows at the end of the active sheet. */
    resize(rows: number): void {
      const sheet = currentSheet(session.world);
      sheet.rows = Math.max(sheet.rows, rows);
    },
    /** Makes another person the user of the file. */
    become(person: string): void {
      session.world.user = person;
    },
    pass(timeMs: number): void {
      session.world.now_ms += timeMs;
    },
    /** Formats cells as the user does with the format menu. */
    format(area: string, numberFormat: string): void {
      const { looks } = currentSheet(session.world);
      for (const a1 of addressTable(readArea(area)).flat()) looks[a1] = { ...looks[a1], number_format: numberFormat };
    },
  };
}

/** Settings of the file, of the user's account and of how the add-on is installed. */
type Setting =
  | 'time_zone'
  | 'locale'
  | 'question_ms'
  | 'test_deployment'
  | 'refused_scopes'
  | 'manifest_scopes'
  | 'admin_allowed_urls'
  | 'several_accounts'
  | 'url_fetches';

function fileMethods(session: Session) {
  const known = (name: string): SheetState => {
    const sheet = sheetNamed(session.world, name);
    if (sheet === undefined) throw new Error(`There is no sheet ${name}`);
    return sheet;
  };
  return {
    /** Makes a sheet the active sheet. Creates the sheet when it is missing. */
    show(name: string): void {
      if (sheetNamed(session.world, name) === undefined) session.world.sheets.push(newSheet(session.world, name));
      session.world.current = { sheet: known(name).name, a1: 'A1' };
    },
    renameSheet(name: string, newName: string): void {
      const { world } = session;
      for (const place of [world.current, ...Object.values(world.named_ranges)]) {
        if (place.sheet === known(name).name) place.sheet = newName;
      }
      known(name).name = newName;
    },
    deleteSheet(name: string): void {
      const { world } = session;
      world.sheets = world.sheets.filter((sheet) => sheet !== known(name));
      world.current = { sheet: world.sheets[0]?.name ?? '', a1: 'A1' };
    },
    /** Inserts empty rows above a row of the active sheet, as the user does. */
    insertRows(before: number, count: number): void {
      const sheet = currentSheet(session.world);
      move(session, sheet, ({ row, column }) => ({ row: row >= before ? row + count : row, column }));
      sheet.rows += count;
    },
    /** Inserts empty columns to the left of a column (counted from 1) of the active sheet, as the user does. */
    insertColumns(before: number, count: number): void {
      const sheet = currentSheet(session.world);
      move(session, sheet, ({ row, column }) => ({ row, column: column >= before ? column + count : column }));
      sheet.columns += count;
    },
    /** Hides a row of the active sheet, either with a filter or as the user does by hand. */
    hideRow(row: number, by: 'filter' | 'user'): void {
      currentSheet(session.world).hidden_rows[row] = by;
    },
    /**
     * Protects or merges cells of the active sheet, or gives them a validation rule that refuses every value. When
     * `kind` is null, removes all of these.
     */
    mark(area: string, kind: 'protected' | 'merged' | 'validated' | null): void {
      const sheet = currentSheet(session.world);
      sheet.guards = sheet.guards.filter(({ a1 }) => a1 !== area);
      sheet.merged = sheet.merged.filter((a1) => a1 !== area);
      if (kind === 'protected') sheet.guards.push({ a1: area, editors: ['another.person@example.com'] });
      if (kind === 'validated') sheet.guards.push({ a1: area, values: ['the only accepted text'] });
      if (kind === 'merged') sheet.merged.push(area);
    },
    /** Changes settings of the file, the account or the installation; see {@link Setting}. */
    set(settings: Partial<Pick<World, Setting>>): void {
      Object.assign(session.world, settings);
    },
    /** Protects cells of the active sheet, or restricts their values. */
    guard(guard: Guard): void {
      currentSheet(session.world).guards.push(guard);
    },
    /** Makes another execution hold the lock of the file for this many milliseconds. */
    holdLock(timeMs: number): void {
      session.world.lock_held_until_ms = session.world.now_ms + timeMs;
    },
  };
}

/** Returns functions that read the file. Without a sheet name, these read the active sheet. */
function eyes(session: Session) {
  const state = (name?: string): SheetState => {
    const sheet = name === undefined ? currentSheet(session.world) : sheetNamed(session.world, name);
    if (sheet === undefined) throw new Error(`There is no sheet ${name}`);
    return sheet;
  };
  const table = <T>(area: string, name: string | undefined, read: (sheet: SheetState, a1: string) => T): T[][] => {
    const sheet = state(name);
    return addressTable(readArea(area)).map((row) => row.map((a1) => read(sheet, a1)));
  };
  return {
    /** Returns the cells of a sheet, by A1 address. */
    sheet: (name?: string) => state(name).grid,
    /** Returns a sheet with its size, formats and charts. */
    sheetState: (name?: string): Readonly<SheetState> => state(name),
    values: (area: string, name?: string) => table(area, name, ({ grid }, a1) => grid[a1]?.value ?? ''),
    /** Returns the types of cells. A number that its format shows as a date has the type `date`. */
    types: (area: string, name?: string) => table(area, name, typeOf),
    world: (): Readonly<World> => session.world,
  };
}

function typeOf({ grid, looks }: SheetState, a1: string): string {
  const type = grid[a1]?.type ?? 'blank';
  return type === 'number' && isDateFormat(looks[a1]?.number_format) ? 'date' : type;
}

function newWorld({ owner, user }: People, urlFetchWhitelist: string[], manifestScopes: string[]): World {
  return {
    now_ms: Date.UTC(2026, 10, 20, 10),
    owner,
    user,
    time_zone: 'Etc/UTC',
    locale: 'en_US',
    properties: { document: {}, users: {} },
    caches: {},
    sheets: [newSheet({ sheets: [] }, 'Sheet1')],
    current: { sheet: 'Sheet1', a1: 'A1' },
    calling: null,
    named_ranges: {},
    lock_held_until_ms: 0,
    triggers: [],
    other_triggers: [],
    test_deployment: false,
    admin_allowed_urls: null,
    several_accounts: null,
    refused_scopes: [],
    manifest_scopes: manifestScopes,
    writes: {},
    questions: {},
    question_ms: 0,
    url_fetches: 0,
    url_fetch_whitelist: urlFetchWhitelist,
    ui: { answers: [], shown: [], menu: [], sidebar: null },
    log: [],
  };
}
