import { serialOf, shownDate } from '../dates.ts';
import type { SharedAnswer } from '../shared.ts';
import type { AuthMode, Caller, Outcome, World } from '../world.ts';
import { cacheService } from './cache.ts';
import { type Execution, modelled, personOf } from './execution.ts';
import { lockService } from './lock.ts';
import { propertiesService } from './properties.ts';
import { scriptApp } from './script-app.ts';
import { sheet } from './sheet.ts';
import { spreadsheetApp } from './spreadsheet.ts';
import { htmlService } from './ui.ts';
import { urlFetchApp } from './url-fetch.ts';

let running: Execution | null = null;
const globalScope: Record<string, unknown> = globalThis as unknown as Record<string, unknown>;

/**
 * The functions that connect the script with the test. Only text is passed, because each side has its own global scope.
 */
type Crossing = {
  fetchJson: (json: string) => string;
  sheetsJson: () => string;
  sharedJson: (json: string, nowMs: number) => string;
  /**
   * Runs the work, if any, that the test set for this call of a Google service. Returns the world after that work, or
   * null when nothing ran.
   */
  pauseJson: (at: string, worldJson: string, hasLock: boolean) => string | null;
};

let readSheets: World['sheets'] | null = null;

/**
 * Loads the sheets only when the script first uses them. Most formulas use none, and a file can have thousands of
 * cells.
 */
function lazySheets(world: World, sheetsJson: () => string): void {
  Object.defineProperty(world, 'sheets', {
    enumerable: false,
    get: () => {
      readSheets ??= JSON.parse(sheetsJson());
      return readSheets;
    },
    set: (sheets: World['sheets']) => {
      readSheets = sheets;
    },
  });
}

/** Adds the Apps Script services to the global scope of one execution. */
export function begin(
  worldJson: string,
  mode: AuthMode,
  caller: Caller,
  { fetchJson, sheetsJson, sharedJson, pauseJson }: Crossing,
  pausedAt: readonly string[],
): void {
  const world: World = JSON.parse(worldJson);
  lazySheets(world, sheetsJson);
  const shared: Execution['shared'] = (request) => {
    const answer: SharedAnswer = JSON.parse(sharedJson(JSON.stringify(request), world.now_ms));
    world.now_ms = answer.now_ms;
    return answer;
  };
  const pause = (at: string): void => {
    const point = pausedAt.find((begin) => at.startsWith(begin));
    if (point === undefined) return;
    const after = pauseJson(point, end(), execution.has_lock);
    if (after === null) return;
    readSheets = null;
    Object.assign(world, JSON.parse(after));
  };
  const execution: Execution = {
    world,
    mode,
    caller,
    fetchJson,
    shared,
    sheet_of: (state) => sheet(execution, state),
    pause,
    has_unflushed: false,
    has_lock: false,
    ended: null,
  };
  running = execution;
  globalScope.SpreadsheetApp = spreadsheetApp(execution);
  globalScope.PropertiesService = propertiesService(execution);
  globalScope.CacheService = cacheService(execution);
  globalScope.LockService = lockService(execution);
  globalScope.ScriptApp = scriptApp(execution);
  globalScope.Session = modelled('Session', {
    getTemporaryActiveUserKey: () => `key-${personOf(execution).replace(/[^a-z]/g, '')}`,
  });
  globalScope.HtmlService = htmlService();
  globalScope.UrlFetchApp = urlFetchApp(execution);
  globalScope.Utilities = modelled('Utilities', {
    sleep: (waitMs: number) => {
      execution.pause('Utilities.sleep');
      shared({ need: 'sleep', wait_ms: waitMs });
    },
    getUuid: () => newUuid(),
    formatDate: (date: Date, zone: string, pattern: string) => {
      if (pattern !== "yyyy-MM-dd'T'HH:mm:ss'Z'")
        throw new Error(`The fake Utilities.formatDate does not know the date pattern ${pattern}`);
      return `${shownDate(serialOf(date.getTime(), zone), 'yyyy-mm-ddThh:mm')}:${shownDate(serialOf(date.getTime(), zone), 'ss')}Z`;
    },
  });
  const log = (message: unknown) => void world.log.push(String(message));
  globalScope.console = modelled('console', { error: log, warn: log, log });
  globalScope.Date = class extends Date {
    constructor(time: string | number = world.now_ms) {
      super(time);
    }
    static override now(): number {
      return world.now_ms;
    }
  };
  globalScope.world_ = world;
}

/** Calls a top-level function of the script. A Date is passed as `{ "$date": ms }`. */
export function call(name: string, argsJson: string, caller: Caller): string {
  const args: unknown[] = JSON.parse(argsJson, (_, value) =>
    typeof value?.$date === 'number' ? new (globalScope.Date as DateConstructor)(value.$date) : value,
  );
  const target = globalScope[name];
  let outcome: Outcome;
  try {
    if (typeof target !== 'function') throw new Error(`Script function not found: ${name}`);
    const value = target(...args);
    if (caller === 'page') checkCrossing(value);
    outcome = { value: checked(value) };
  } catch (error) {
    outcome = { error: error instanceof Error ? error.message : String(error) };
  }
  const ended = running?.ended ?? null;
  return JSON.stringify(ended === null ? outcome : { error: ended });
}

/** Returns the value unchanged. Throws for a value that JSON would change without an error. */
function checked(value: unknown): unknown {
  for (const part of [value].flat(2)) {
    if (part instanceof Date) throw new Error('The fake spreadsheet cannot return dates from a formula');
    if (typeof part === 'function' || (typeof part === 'number' && !Number.isFinite(part))) {
      throw new Error(`The script returned ${String(part)}`);
    }
  }
  return value;
}

/**
 * Throws for a result that Google does not pass to a page. Only primitives, arrays and plain objects reach a page;
 * anything else fails the call or arrives as null.
 */
function checkCrossing(value: unknown): void {
  if (value === null || value === undefined || ['string', 'boolean'].includes(typeof value)) return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  const isPlain =
    typeof value === 'object' && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
  if (!isPlain) throw new Error(`No such result can cross to a page: ${String(value)}`);
  for (const part of Object.values(value)) checkCrossing(part);
}

export function end(): string {
  return JSON.stringify({ ...(globalScope.world_ as World), sheets: readSheets });
}

/** Returns a random UUID as `Utilities.getUuid` does. Apps Script has no `crypto`, and neither has this scope. */
function newUuid(): string {
  const digit = (letter: string): string =>
    (letter === 'y' ? 8 + Math.floor(Math.random() * 4) : Math.floor(Math.random() * 16)).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, digit);
}
