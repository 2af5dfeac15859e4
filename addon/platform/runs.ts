import { asObject } from './client.ts';
import { network } from './platform.ts';

/**
 * Each entry of the log has its own property, `log_TIME_ID`. With one property for the whole log, two executions at
 * once would overwrite each other's entry. A lock would not help: an entry must also be added when the lock is not
 * free.
 */
const prefix = 'log_';
/** The property in which earlier versions of the add-on stored the whole log. */
const oldProperty = 'runs';
const maxRuns = 20;
const maxMessageCharacters = 200;

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
    const store = documentProperties();
    if (store === null) return;
    const isLong = run.message.length > maxMessageCharacters;
    const message = isLong ? `${run.message.slice(0, maxMessageCharacters - 1)}…` : run.message;
    const keys: string[] = store.getKeys();
    const names = entryNames(keys);
    const id = Math.floor(network.random() * 2 ** 40).toString(36);
    store.setProperty(`${prefix}${timeAfter(names[0])}_${id}`, JSON.stringify({ at: network.now(), ...run, message }));
    const isFull = names.length >= maxRuns - 1;
    const outdated = [...names.slice(maxRuns - 1), ...(isFull && keys.includes(oldProperty) ? [oldProperty] : [])];
    for (const name of outdated) store.deleteProperty(name);
  } catch (error) {
    network.log(`The entry could not be added to the log of this spreadsheet: ${String(error)}`);
  }
}

/** Returns the entries of the log of this spreadsheet, newest first. */
export function lastRuns(): Run[] {
  const properties = documentProperties()?.getProperties() ?? {};
  const entries = entryNames(Object.keys(properties)).map((name) => parsed(properties[name] ?? ''));
  const old = parsed(properties[oldProperty] ?? '');
  return [...entries, ...(Array.isArray(old) ? old : [])].filter(isRun).slice(0, maxRuns);
}

/** Returns the properties of the spreadsheet; null outside a spreadsheet, which the type package does not say. */
function documentProperties(): GoogleAppsScript.Properties.Properties | null {
  return PropertiesService.getDocumentProperties();
}

/** Returns the names of the properties with the entries of the log, newest first. */
function entryNames(names: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith(prefix))
    .sort()
    .reverse();
}

/**
 * Returns the time in Unix ms for the name of the next entry. The time is always later than that of the newest entry,
 * even within one millisecond, so that sorting the names gives the order of the entries.
 */
function timeAfter(newest = ''): number {
  return Math.max(network.now(), Number(newest.split('_')[1] ?? 0) + 1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRun(value: unknown): value is Run {
  const run = asObject(value);
  return typeof run?.at === 'number' && typeof run.what === 'string' && typeof run.message === 'string';
}
