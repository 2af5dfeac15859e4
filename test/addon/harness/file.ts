import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { address, addressTable, readAddress, readArea } from './a1.ts';
import { loadScript } from './execute.ts';
import { openBlockingHttp } from './http.ts';
import { currentGrid, isReachable, recalculate, run, runInCell, type Session, typeInto } from './session.ts';
import type { AuthMode, CellState, UiAnswer, World } from './world.ts';

type Input = string | number | boolean;

/** `owner` owns the file, `user` works in it. */
export type People = { owner: string; user: string };

const one_person: People = { owner: 'owner@example.com', user: 'owner@example.com' };

export type SpreadsheetFile = Awaited<ReturnType<typeof openFile>>;

/**
 * A spreadsheet with the built add-on in it. Every door runs the bundled Code.js of `dist` in a fresh scope over the
 * same lasting world; close it to stop its worker.
 */
export async function openFile(dist: string, people: People = one_person) {
  const manifest: { urlFetchWhitelist: string[] } = JSON.parse(await readFile(join(dist, 'appsscript.json'), 'utf8'));
  const session: Session = {
    script: loadScript(await readFile(join(dist, 'Code.js'), 'utf8')),
    http: openBlockingHttp(),
    world: newWorld(people, manifest.urlFetchWhitelist),
    seen_arguments: new Map(),
  };
  return { ...scriptDoors(session), ...userDoors(session), ...eyes(session), close: () => session.http.close() };
}

function scriptDoors(session: Session) {
  return {
    /** A formula in a cell. */
    cell: (name: string, args: unknown[]): unknown => runInCell(session, name, args),
    /** A menu click or a trigger. */
    call(name: string, mode: AuthMode = 'FULL', args: unknown[] = []): unknown {
      const value = run(session, mode, name, args);
      recalculate(session);
      return value;
    },
    /** `google.script.run` of a page. */
    run(name: string, args: unknown[]): unknown {
      if (!isReachable(session, name)) throw new Error(`${name} is not callable from a page`);
      if (args.some((arg) => arg instanceof Date || typeof arg === 'function'))
        throw new Error('No such argument can cross');
      return run(session, 'FULL', name, args);
    },
    callable: session.script.callable,
  };
}

function userDoors(session: Session) {
  return {
    /** Types values into a cell and the cells below it, then lets the file recalculate. */
    type(a1: string, ...inputs: Input[]): void {
      const { row, column } = readAddress(a1);
      inputs.forEach((input, index) => {
        typeInto(session, address({ row: row + index, column }), input);
      });
      recalculate(session);
    },
    /** Reopens the file, which may run every formula again. */
    reopen(): void {
      session.seen_arguments.clear();
      recalculate(session);
    },
    /** What the user will do in the next dialogs. */
    answer(...answers: UiAnswer[]): void {
      session.world.ui.answers.push(...answers);
    },
    select(a1: string): void {
      session.world.current.a1 = a1;
    },
    /** Another person works in the same file. */
    become(person: string): void {
      session.world.user = person;
    },
    pass(time_ms: number): void {
      session.world.now_ms += time_ms;
    },
  };
}

function eyes(session: Session) {
  const table = <T>(area: string, read: (state: CellState | undefined) => T): T[][] => {
    const grid = currentGrid(session.world);
    return addressTable(readArea(area)).map((row) => row.map((a1) => read(grid[a1])));
  };
  return {
    sheet: () => currentGrid(session.world),
    values: (area: string) => table(area, (state) => state?.value ?? ''),
    types: (area: string) => table(area, (state) => state?.type ?? 'blank'),
    world: (): Readonly<World> => session.world,
  };
}

function newWorld({ owner, user }: People, url_fetch_whitelist: string[]): World {
  return {
    now_ms: Date.UTC(2026, 10, 20, 10),
    owner,
    user,
    properties: { document: {}, users: {} },
    sheets: { Sheet1: {} },
    current: { sheet: 'Sheet1', a1: 'A1' },
    named_ranges: {},
    url_fetches: 0,
    url_fetch_whitelist,
    ui: { answers: [], shown: [], menu: [] },
    log: [],
  };
}
