import { utf8Bytes } from '../text.ts';
import { asObject } from './client.ts';
import { keyStores, network } from './platform.ts';

const runsProperty = 'runs';
const runsMax = 20;
const messageCharactersMax = 200;
/** Maximum bytes of the log of a spreadsheet. Apps Script stores at most 9 KB in one property. */
const logBytesMax = 8_500;

/**
 * One entry of the log of a spreadsheet: a finished import, refresh, freeze or report. `at`: the time in Unix ms.
 * `credits`: the credits that it cost; null when the add-on cannot know them.
 */
export type Run = {
  at: number;
  what: string;
  rows: number;
  ok: number;
  failed: number;
  credits: number | null;
  message: string;
};

/**
 * Adds an entry to the log of this spreadsheet, which keeps the last 20 entries. Never throws, because the work that
 * the entry describes is already finished.
 */
export function recordRun(run: Omit<Run, 'at'>): void {
  try {
    const store = keyStores().document;
    const message = run.message.slice(0, messageCharactersMax);
    const runs = [{ at: network.now(), ...run, message }, ...lastRuns()].slice(0, runsMax);
    while (runs.length > 1 && utf8Bytes(JSON.stringify(runs)) > logBytesMax) runs.pop();
    store?.setProperty(runsProperty, JSON.stringify(runs));
  } catch (error) {
    network.log(`The entry could not be added to the log of this spreadsheet: ${String(error)}`);
  }
}

/** Returns the entries of the log of this spreadsheet, newest first. */
export function lastRuns(): Run[] {
  const text = keyStores().document?.getProperty(runsProperty) ?? null;
  const kept: unknown = text === null ? [] : parsed(text);
  return Array.isArray(kept) ? kept.filter(isRun) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function isRun(value: unknown): value is Run {
  const run = asObject(value);
  return typeof run?.at === 'number' && typeof run.what === 'string' && typeof run.message === 'string';
}
