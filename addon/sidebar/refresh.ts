import type { ScheduleView } from '../refresh/schedule.ts';
import { callServer } from './call.ts';
import { byId, onClick, onSubmit, setText, showFailure, whileBusy } from './elements.ts';
import { localTime } from './local-time.ts';
import { createPress } from './new-id.ts';
import { createQueue } from './order.ts';

const scheduleInOrder = createQueue();
const press = createPress();
const freezeButtons = ['freeze-selection', 'freeze-sheet'];

/**
 * Sets up the section Refresh of the sidebar, with the refresh, its schedule and the freeze of formulas.
 *
 * @returns the function to call when the section is shown.
 */
export function startRefresh(): () => void {
  onSubmit('refresh-form', () => void refresh());
  onClick('schedule-save', () => void saveSchedule());
  for (const scope of ['selection', 'sheet'] as const) {
    onClick(`freeze-${scope}`, () => void freeze(scope));
  }
  return () => void loadSchedule();
}

async function refresh(): Promise<void> {
  const chosen = byId('refresh-form', HTMLFormElement).querySelector<HTMLInputElement>('input[name="scope"]:checked');
  setText('refresh-done', '');
  const scope = chosen?.value ?? 'selection';
  const reply = await whileBusy('refresh-now', 'Refreshing…', () =>
    callServer('sidebarRefreshFormulas', scope, press.id()),
  );
  press.answered(reply);
  showFailure('refresh-error', reply);
  setText('refresh-done', reply.ok ? reply.message : '');
}

async function freeze(scope: 'selection' | 'sheet'): Promise<void> {
  setText('freeze-done', '');
  const work = () => callServer('sidebarFreeze', scope);
  const reply = await whileBusy(`freeze-${scope}`, 'Freezing…', work, freezeButtons);
  showFailure('freeze-error', reply);
  setText('freeze-done', reply.ok ? reply.message : '');
}

async function loadSchedule(): Promise<void> {
  const select = byId('schedule-hours', HTMLSelectElement);
  const before = select.value;
  const reply = await scheduleInOrder(() => callServer('sidebarSchedule'));
  showFailure('schedule-error', reply);
  setText('schedule-state', reply.ok ? scheduleSentence(reply) : '');
  // Keeps the interval that the user may have chosen while the schedule was loading.
  if (reply.ok && select.value === before) select.value = String(reply.schedule?.every_hours ?? '');
}

function scheduleSentence({ schedule, note }: ScheduleView): string {
  if (schedule === null) return 'No schedule is set.';
  const hours = schedule.every_hours;
  const every = hours === 1 ? 'every hour' : hours === 24 ? 'every day' : `every ${hours} hours`;
  return `Refreshes ${every}, next at about ${localTime(schedule.next)}. ${note ?? ''}`.trim();
}

async function saveSchedule(): Promise<void> {
  const hours = byId('schedule-hours', HTMLSelectElement).value;
  const reply = await whileBusy('schedule-save', 'Saving…', () =>
    scheduleInOrder(() => callServer('sidebarSetSchedule', hours === '' ? null : Number(hours))),
  );
  if (reply.ok) await loadSchedule();
  else showFailure('schedule-error', reply);
}
