import { fileStore } from '../fill/job.ts';
import { asObject } from '../platform/client.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { keyStores, network } from '../platform/platform.ts';
import type { Done } from './refresh.ts';

/** What Google's timers can do for an add-on; the last is once a day. */
const knownHours = [1, 2, 4, 6, 8, 12, 24];
const hourMs = 3_600_000;
const keptPrefix = 'schedule_in_';
const triggerScope = 'https://www.googleapis.com/auth/script.scriptapp';

const ranProperty = 'schedule_ran_ms';
/** Two people may have a schedule in one file, and Google may run one twice: within this time that is one run. */
const oneRunMs = 30 * 60_000;

/** Where to turn for what must not depend on a timer of Google. */
const sureWay =
  'For what must arrive whatever happens, let the server push the report into a spreadsheet: see Spreadsheets on your dashboard.';

/** `next`: Unix ms; Google chooses the minute. */
export type ScheduleView = { ok: true; schedule: { every_hours: number; next: number } | null };
type KeptSchedule = { every_hours: number; last_ms: number; trigger_id: string };

/** The schedule that this person has in this file. Everybody has their own; nobody sees another's. */
export function readSchedule(): ScheduleView {
  const kept = readKept();
  if (kept === null || ownTriggers().length === 0) return { ok: true, schedule: null };
  const { every_hours, last_ms } = kept;
  return { ok: true, schedule: { every_hours, next: last_ms + every_hours * hourMs } };
}

/**
 * Sets or, with null, takes away this person's schedule in this file. It runs with this person's key.
 *
 * @throws PlainError for hours that Google does not know, without the permission, or where the add-on is only tried.
 */
export function setSchedule(hours: unknown): Done {
  const everyHours = knownHours.find((known) => known === hours);
  if (everyHours === undefined && hours !== null) {
    throw new PlainError(`Google's timers run every ${knownHours.join(', ')} hours: choose one of these.`);
  }
  requirePermission();
  for (const trigger of ownTriggers()) ScriptApp.deleteTrigger(trigger);
  const { user } = keyStores();
  user.deleteProperty(propertyName());
  if (everyHours === undefined) return { ok: true, message: 'Nothing is refreshed by itself in this file now.' };
  const kept: KeptSchedule = { every_hours: everyHours, last_ms: network.now(), trigger_id: createTrigger(everyHours) };
  user.setProperty(propertyName(), JSON.stringify(kept));
  const often = everyHours === 24 ? 'every day' : everyHours === 1 ? 'every hour' : `every ${everyHours} hours`;
  return {
    ok: true,
    message:
      `Reports and the refresh cell of this file are refreshed ${often}, with your key. ` +
      `Formulas may wait until somebody opens the file. ${sureWay}`,
  };
}

/** Says when this person's schedule ran, from which the next time is told. */
export function noteScheduledRun(): void {
  const kept = readKept();
  if (kept === null) return;
  keyStores().user.setProperty(propertyName(), JSON.stringify({ ...kept, last_ms: network.now() }));
}

/** Whether Google still lets the add-on do all it asked for: a trigger whose creator took that back must do nothing. */
export function isAuthorized(): boolean {
  const status = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationStatus();
  return status !== ScriptApp.AuthorizationStatus.REQUIRED;
}

/** People may grant the add-on's scopes one by one: Google then asks for what is missing, and the call ends there. */
function requirePermission(): void {
  try {
    ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, [triggerScope]);
  } catch (error) {
    network.log(`The scope for timers is missing: ${String(error)}`);
    const address = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationUrl() ?? '';
    throw new PlainError(`Google does not let the add-on set timers yet. Allow it, then try again: ${address}`.trim());
  }
}

/** One time-driven trigger is all that an add-on may have for a person and a file. Gives its id. */
function createTrigger(everyHours: number): string {
  const timer = ScriptApp.newTrigger('refreshOnSchedule_').timeBased();
  try {
    return (everyHours === 24 ? timer.everyDays(1) : timer.everyHours(everyHours)).create().getUniqueId();
  } catch (error) {
    network.log(`The timer was not made: ${String(error)}`);
    throw new PlainError(`Google did not take the timer; it never does where an add-on is only tried. ${sureWay}`);
  }
}

/** This person's timers of this file. The list of the project may name those of other files, which must stay. */
function ownTriggers(): GoogleAppsScript.Script.Trigger[] {
  const kept = readKept();
  const ofProject = ScriptApp.getProjectTriggers().filter((trigger) => trigger.getUniqueId() === kept?.trigger_id);
  if (ofProject.length > 0) return ofProject;
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === 'refreshOnSchedule_',
  );
}

function propertyName(): string {
  return keptPrefix + SpreadsheetApp.getActiveSpreadsheet().getId();
}

function readKept(): KeptSchedule | null {
  const text = keyStores().user.getProperty(propertyName());
  const kept = text === null ? null : asObject(JSON.parse(text));
  const isWhole = typeof kept?.every_hours === 'number' && typeof kept.last_ms === 'number';
  return isWhole ? (kept as KeptSchedule) : null;
}

/** Whether this run is the one that works: of several at about the same time only the first is. */
export function claimScheduledRun(): boolean {
  return holdLock(() => {
    const store = fileStore(keyStores().document);
    const lastMs = Number(store.getProperty(ranProperty) ?? Number.NEGATIVE_INFINITY);
    if (network.now() - lastMs < oneRunMs) return false;
    store.setProperty(ranProperty, String(network.now()));
    return true;
  });
}
