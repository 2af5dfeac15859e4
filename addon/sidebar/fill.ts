import { profileColumns } from '../formulas/fields.ts';
import type { FillReply, FillView, PageFailure } from '../platform/page-replies.ts';
import { refreshAccount } from './account.ts';
import { callServer } from './call.ts';
import { countDown } from './countdown.ts';
import { byId, counted, onClick, onSubmit, setText, show, showFailure, whileBusy } from './elements.ts';
import { showAges, showTicks, tickedFields } from './field-choices.ts';
import { costWords, type Picked, pickCells } from './picked-cells.ts';

const hiddenFields = ['url', 'status', 'credits_charged'];
const usualFields = [...profileColumns.usual, 'followers_quality', 'retrieved_at'];

type Section = { picked: Picked; job: FillView | null; run: AbortController | null };

/** Sets up the fill section. @returns the function to call when the section is shown. */
export function startFill(): () => void {
  const section: Section = { picked: null, job: null, run: null };
  const pick = async (byUser: boolean): Promise<void> => {
    section.picked = await pickCells('fill', byUser);
    await showCost(section.picked);
  };
  const fields = profileColumns.known.filter((field) => !hiddenFields.includes(field));
  showTicks('fill-fields', fields, usualFields, () => {});
  showAges('fill-age');
  onClick('fill-pick', () => void pick(true));
  byId('fill-age', HTMLSelectElement).addEventListener('change', () => void showCost(section.picked));
  onSubmit('fill-form', () => void begin(section));
  onClick('fill-cancel', () => section.run?.abort());
  onClick('fill-resume', () => void runFill(section));
  onClick('fill-discard', () => void discard(section));
  onClick('fill-again', () => {
    showForm();
    void pick(false);
  });
  return () => {
    if (section.run === null) void lookForJob(section);
    if (section.picked === null) void pick(false);
  };
}

async function showCost(picked: Picked): Promise<void> {
  setText('fill-start', picked === null ? 'Fill' : `Fill ${counted(picked.urls, 'profile', 'profiles')}`);
  setText('fill-cost', picked === null ? '' : 'Calculating the cost…');
  if (picked === null) return;
  setText('fill-cost', await costWords(picked, byId('fill-age', HTMLSelectElement).value));
}

/** Shows the unfinished fill of the file, if it has one. Any editor of the file can resume it. */
async function lookForJob(section: Section): Promise<void> {
  const reply = await callServer('sidebarFill');
  if (!reply.ok || reply.job === null || section.run !== null) return;
  section.job = reply.job;
  showJob(reply.job);
  showStopped('This fill is not finished. Choose Resume to continue.', false);
}

async function begin(section: Section): Promise<void> {
  const { picked } = section;
  setText('fill-error', picked === null ? 'Pick the cells first.' : '');
  if (picked === null) return;
  const mode = byId('fill-form', HTMLFormElement).querySelector<HTMLInputElement>('input[name="mode"]:checked');
  const request = {
    area: { sheet: picked.sheet, a1: picked.a1 },
    mode: mode?.value ?? 'replace',
    fields: tickedFields('fill-fields'),
    max_age: byId('fill-age', HTMLSelectElement).value,
  };
  const reply = await whileBusy('fill-start', 'Starting…', () => callServer('sidebarFillStart', request));
  showFailure('fill-error', reply);
  if (!reply.ok) {
    await lookForJob(section);
    return;
  }
  section.job = reply.job;
  await runFill(section);
}

/** Requests one chunk (at most 20 URLs) after the other until the fill is finished, stopped or cancelled. */
async function runFill(section: Section): Promise<void> {
  const { job } = section;
  if (job === null) return;
  const run = new AbortController();
  section.run = run;
  showRunning(job);
  let end: FillReply | PageFailure | null = null;
  while (end === null && !run.signal.aborted) end = await step(section, job.id, run.signal);
  section.run = null;
  if (end === null) showStopped('Cancelled. Choose Resume to continue.', false);
  else if (!end.ok) showStopped(end.message, true);
  else if (end.stopped !== null) showStopped(end.stopped, true);
  else showFinished(end.job);
  focusFirstButton();
  await refreshAccount();
}

/** Requests one chunk. Returns its reply when the fill ends with it; null when the fill continues. */
async function step(section: Section, id: string, signal: AbortSignal): Promise<FillReply | PageFailure | null> {
  const reply = await callServer('sidebarFillChunk', id);
  if (!reply.ok) return reply;
  section.job = reply.job;
  if (reply.job !== null) showJob(reply.job);
  if (reply.stopped !== null || reply.job === null || reply.job.finished) return reply;
  if (reply.wait_s !== null && !signal.aborted) {
    setText('fill-wait', `${reply.wait_reason ?? ''} Continues automatically in ${reply.wait_s} s.`);
    await countDown(reply.wait_s, signal, (left) => setText('fill-countdown', left === 0 ? '' : `${left} s`));
    setText('fill-wait', '');
  }
  return null;
}

async function discard(section: Section): Promise<void> {
  const { job } = section;
  if (job === null) return;
  const reply = await whileBusy('fill-discard', 'Discarding…', () => callServer('sidebarFillDiscard', job.id));
  if (!reply.ok) {
    showStopped(reply.message, true);
    return;
  }
  section.job = null;
  showForm();
}

function showForm(): void {
  show('fill-form', true);
  show('fill-job', false);
}

function showJob(job: FillView): void {
  show('fill-form', false);
  show('fill-job', true);
  const progress = byId('fill-progress', HTMLProgressElement);
  progress.max = Math.max(1, job.total);
  progress.value = job.done;
  const parts = [`${job.ok} OK`];
  if (job.failed > 0) parts.push(`${job.failed} failed`);
  if (job.removed > 0) parts.push(`${job.removed} no longer in the sheet`);
  parts.push(`${counted(job.credits, 'credit', 'credits')} used`);
  setText('fill-count', `${job.done} of ${counted(job.total, 'profile', 'profiles')} · ${parts.join(' · ')}`);
}

function showRunning(job: FillView): void {
  showJob(job);
  setText('fill-title', 'Filling');
  setText('fill-stopped', '');
  setText('fill-done', '');
  showButtons(['cancel']);
  focusFirstButton();
}

/** Shows why the fill stopped. It is shown as an error unless the user stopped the fill. */
function showStopped(why: string, isError: boolean): void {
  setText('fill-title', 'Stopped');
  setText('fill-wait', '');
  setText('fill-stopped', why);
  byId('fill-stopped', HTMLElement).className = isError ? 'error' : 'note';
  showButtons(['resume', 'discard']);
}

function showFinished(job: FillView | null): void {
  setText('fill-title', 'Finished');
  const failed = job?.failed ?? 0;
  const why = failed === 0 ? '' : ` ${counted(failed, 'row', 'rows')} failed. See the status column for the reason.`;
  setText('fill-done', `All done.${why}`);
  showButtons(['again']);
}

/** Moves the keyboard focus to the first button of the section, because the pressed button is hidden and would lose it. */
function focusFirstButton(): void {
  byId('fill-job', HTMLElement).querySelector<HTMLButtonElement>('.buttons button:not([hidden])')?.focus();
}

function showButtons(shown: readonly string[]): void {
  for (const name of ['cancel', 'resume', 'discard', 'again']) show(`fill-${name}`, shown.includes(name));
}
