import { hourMs, minuteMs } from '../durations.ts';
import { refreshName } from '../formulas/max-age.ts';
import { asObject } from '../platform/client.ts';
import { fileStore } from '../platform/file-store.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError, requirePermission } from '../platform/page-call.ts';
import { keyStores, network } from '../platform/platform.ts';
import { findActionKey } from '../platform/settings.ts';
import { savedCampaigns } from '../report-sheet/target.ts';
import type { Done } from './refresh.ts';

/**
 * The intervals, in hours, of an automatic refresh. Google allows only these for the triggers of an add-on. 24 means
 * once a day.
 */
const allowedHours = [1, 2, 4, 6, 8, 12, 24];
const savedPrefix = 'schedule_in_';

const ranProperty = 'schedule_ran_ms';
/**
 * Milliseconds within which several scheduled refreshes of one spreadsheet count as one. Several users may have a
 * schedule in the spreadsheet, and Google may start a trigger twice.
 */
const sameRunMs = 30 * minuteMs;

/**
 * A sentence for the user that recommends reports written by the server, because they do not depend on Google's
 * triggers.
 */
const reliableWay =
  'For reports that must always arrive, let the server write them: see Write to Google Sheets on your dashboard.';

/**
 * A user's schedule for refreshing a spreadsheet. `next`: the time of the next refresh in Unix ms. This time is
 * approximate, because Google chooses the minute. `note`: a sentence for the user when the schedule has nothing to
 * update; otherwise null.
 */
export type ScheduleView = { ok: true; schedule: { every_hours: number; next: number } | null; note: string | null };
/**
 * A user's schedule for a spreadsheet, as it is saved. `every_hours`: the interval of the refresh; null when only
 * imports have a schedule. `imports`: true when an import of this user has a schedule.
 */
type SavedSchedule = { every_hours: number | null; last_ms: number; trigger_id: string; imports: boolean };

/**
 * Returns the user's schedule for refreshing this spreadsheet. Each user has a separate schedule and cannot see the
 * schedules of other users.
 */
export function readSchedule(): ScheduleView {
  const saved = readSaved();
  if (saved === null || saved.every_hours === null || ownTriggers().length === 0) return noSchedule;
  const { every_hours, last_ms } = saved;
  const note = hasRefreshCell() || hasReport() ? null : `Nothing is updated yet: ${nothingHere}`;
  return { ok: true, schedule: { every_hours, next: last_ms + every_hours * hourMs }, note };
}

const noSchedule: ScheduleView = { ok: true, schedule: null, note: null };
export const nothingHere = 'this file has no report and no refresh cell.';

function hasRefreshCell(): boolean {
  return SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName) !== null;
}

function hasReport(): boolean {
  return savedCampaigns(PropertiesService.getDocumentProperties().getKeys()).length > 0;
}

/**
 * Sets the user's schedule for refreshing this spreadsheet, or removes it when `hours` is null. The refresh uses this
 * user's API key.
 *
 * @throws PlainError when Google does not offer the interval, the user has not given permission, the add-on is a test
 * deployment, or another window or trigger is writing into the spreadsheet.
 */
export function setSchedule(hours: unknown): Done {
  const everyHours = allowedHours.find((known) => known === hours);
  if (everyHours === undefined && hours !== null) {
    throw new PlainError(`Choose an interval of ${allowedHours.join(', ')} hours. Google offers no others.`);
  }
  holdLock(
    () => replaceTrigger({ every_hours: everyHours ?? null, imports: readSaved()?.imports ?? false }),
    'The schedule was not changed.',
  );
  if (everyHours === undefined) return { ok: true, message: 'Turned off the schedule of this file.' };
  const interval = everyHours === 24 ? 'every day' : everyHours === 1 ? 'every hour' : `every ${everyHours} hours`;
  return {
    ok: true,
    message:
      `Reports and the refresh cell of this file are refreshed ${interval}, ${keyUsed()}. ` +
      `Formulas with the refresh cell may not run until someone opens the file. Other formulas are not updated. ${reliableWay}`,
  };
}

/** Returns which key a scheduled refresh of this user uses, as a part of a sentence. */
function keyUsed(): string {
  const location = findActionKey(keyStores())?.location;
  if (location === undefined) return 'once a key is connected under Keys';
  return location === 'account' ? 'with your key' : 'with the sheet key of this file';
}

/**
 * Creates or removes the time-driven trigger that runs this user's scheduled imports. The interval of the refresh does
 * not change. The caller must hold the lock of the spreadsheet while it decides about `imports` and calls this
 * function.
 *
 * @throws PlainError in the same cases as {@link setSchedule}.
 */
export function setImportTrigger(imports: boolean): void {
  const saved = readSaved();
  if ((saved?.imports ?? false) === imports && (!imports || ownTriggers().length > 0)) return;
  const everyHours = saved?.every_hours ?? null;
  // The hourly trigger for imports also starts the refresh when it is due. The saved time of the last refresh is kept,
  // so that the next refresh is due at the same time as before.
  replaceTrigger({ every_hours: everyHours, imports }, imports && everyHours !== null ? saved?.last_ms : undefined);
}

/**
 * Replaces this user's only time-driven trigger in this spreadsheet. When imports have a schedule, the trigger runs
 * every hour and starts everything that is due. The caller must hold the lock of the spreadsheet: two executions at
 * once could leave two triggers, or none. `lastMs`: the time in Unix ms from which the interval of the refresh counts.
 */
function replaceTrigger(
  { every_hours, imports }: Pick<SavedSchedule, 'every_hours' | 'imports'>,
  lastMs = network.now(),
): void {
  requirePermission('schedule');
  for (const trigger of ownTriggers()) ScriptApp.deleteTrigger(trigger);
  const { user } = keyStores();
  user.deleteProperty(propertyName());
  if (every_hours === null && !imports) return;
  const triggerId = createTrigger(imports ? 1 : (every_hours ?? 1));
  const saved: SavedSchedule = { every_hours, imports, last_ms: lastMs, trigger_id: triggerId };
  user.setProperty(propertyName(), JSON.stringify(saved));
}

/**
 * Returns true when the refresh of the spreadsheet is due. The trigger may run more often than the refresh, because the
 * scheduled imports use the same trigger.
 */
export function refreshIsDue(): boolean {
  const saved = readSaved();
  if (saved === null) return true;
  return saved.every_hours !== null && network.now() >= saved.last_ms + saved.every_hours * hourMs - sameRunMs;
}

/**
 * Saves the time of this scheduled refresh, so that the sidebar can show the time of the next one. The caller must hold
 * the lock of the spreadsheet.
 */
function noteScheduledRun(): void {
  const saved = readSaved();
  if (saved === null) return;
  keyStores().user.setProperty(propertyName(), JSON.stringify({ ...saved, last_ms: network.now() }));
}

/**
 * Returns true when the user has given the add-on all its permissions. After a user has revoked them, a trigger must do
 * nothing.
 */
export function isAuthorized(): boolean {
  const status = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationStatus();
  return status !== ScriptApp.AuthorizationStatus.REQUIRED;
}

/**
 * Creates this user's time-driven trigger and returns its ID. Google allows an add-on only one such trigger for each
 * user and spreadsheet.
 */
function createTrigger(everyHours: number): string {
  const trigger = ScriptApp.newTrigger('refreshOnSchedule_').timeBased();
  try {
    return (everyHours === 24 ? trigger.everyDays(1) : trigger.everyHours(everyHours)).create().getUniqueId();
  } catch (error) {
    network.log(`The trigger could not be created: ${String(error)}`);
    throw new PlainError(
      `Google refused the schedule. In a test deployment of the add-on, Google refuses every schedule. ${reliableWay}`,
    );
  }
}

/**
 * Returns the triggers of this user in this spreadsheet. Apps Script may also list triggers of other spreadsheets,
 * which must not be deleted.
 */
function ownTriggers(): GoogleAppsScript.Script.Trigger[] {
  const saved = readSaved();
  const ofProject = ScriptApp.getProjectTriggers().filter((trigger) => trigger.getUniqueId() === saved?.trigger_id);
  if (ofProject.length > 0) return ofProject;
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === 'refreshOnSchedule_',
  );
}

function propertyName(): string {
  return savedPrefix + SpreadsheetApp.getActiveSpreadsheet().getId();
}

function readSaved(): SavedSchedule | null {
  const text = keyStores().user.getProperty(propertyName());
  const saved = text === null ? null : asObject(JSON.parse(text));
  const hasInterval = typeof saved?.every_hours === 'number' || saved?.imports === true;
  return hasInterval && typeof saved.last_ms === 'number' ? (saved as SavedSchedule) : null;
}

/**
 * Returns true for the first of several scheduled refreshes within 30 minutes ({@link sameRunMs}). The others must do
 * nothing.
 */
export function claimScheduledRun(): boolean {
  return holdLock(() => {
    const store = fileStore(keyStores().document);
    const lastMs = Number(store.getProperty(ranProperty) ?? Number.NEGATIVE_INFINITY);
    // The time is saved even when another user has just refreshed. Otherwise, this refresh would still be due, and an
    // hourly trigger would run it an hour later.
    noteScheduledRun();
    if (network.now() - lastMs < sameRunMs) return false;
    store.setProperty(ranProperty, String(network.now()));
    return true;
  });
}
