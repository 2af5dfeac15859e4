import { profileColumns } from '../formulas/fields.ts';
import type { FillReply, FillView, PageFailure } from '../platform/page-replies.ts';
import { refreshAccount } from './account.ts';
import { ask } from './call.ts';
import { countDown } from './countdown.ts';
import { busy, byId, counted, onClick, onSubmit, setText, show } from './elements.ts';
import { showAges, showTicks, tickedFields } from './field-choices.ts';
import { costWords, type Picked, pickCells } from './picked-cells.ts';

const hiddenFields = ['url', 'status', 'credits_charged'];
const usualFields = [...profileColumns.usual, 'followers_quality', 'retrieved_at'];

type Section = { picked: Picked; job: FillView | null; driver: AbortController | null };

/** Makes the fill section work. @returns what runs when it comes up. */
export function startFill(): () => void {
  const section: Section = { picked: null, job: null, driver: null };
  const pick = async (asked: boolean): Promise<void> => {
    section.picked = await pickCells('fill', asked);
    await showCost(section.picked);
  };
  const fields = profileColumns.known.filter((field) => !hiddenFields.includes(field));
  showTicks('fill-fields', fields, usualFields, () => {});
  showAges('fill-age');
  onClick('fill-pick', () => void pick(true));
  byId('fill-age', HTMLSelectElement).addEventListener('change', () => void showCost(section.picked));
  onSubmit('fill-form', () => void begin(section));
  onClick('fill-cancel', () => section.driver?.abort());
  onClick('fill-resume', () => void drive(section));
  onClick('fill-discard', () => void discard(section));
  onClick('fill-again', () => {
    showForm();
    void pick(false);
  });
  return () => {
    if (section.driver === null) void lookForJob(section);
    if (section.picked === null) void pick(false);
  };
}

async function showCost(picked: Picked): Promise<void> {
  setText('fill-start', picked === null ? 'Fill' : `Fill ${counted(picked.urls, 'profile', 'profiles')}`);
  setText('fill-cost', picked === null ? '' : 'Asking what it costs…');
  if (picked === null) return;
  setText('fill-cost', await costWords(picked, byId('fill-age', HTMLSelectElement).value));
}

/** A fill that was left unfinished can be taken up again, also by somebody else. */
async function lookForJob(section: Section): Promise<void> {
  const reply = await ask('sidebarFill');
  if (!reply.ok || reply.job === null || section.driver !== null) return;
  section.job = reply.job;
  showJob(reply.job);
  rest('This fill is not finished. Resume goes on where it stopped.', false);
}

async function begin(section: Section): Promise<void> {
  const { picked } = section;
  setText('fill-error', picked === null ? 'Pick the cells first.' : '');
  if (picked === null) return;
  const mode = byId('fill-form', HTMLFormElement).querySelector<HTMLInputElement>('input[name="mode"]:checked');
  const question = {
    area: { sheet: picked.sheet, a1: picked.a1 },
    mode: mode?.value ?? 'replace',
    fields: tickedFields('fill-fields'),
    max_age: byId('fill-age', HTMLSelectElement).value,
  };
  const reply = await busy('fill-start', 'Starting…', () => ask('sidebarFillStart', question));
  setText('fill-error', reply.ok ? '' : reply.message);
  if (!reply.ok) {
    await lookForJob(section);
    return;
  }
  section.job = reply.job;
  await drive(section);
}

/** Asks for one chunk after the other until all is done, something stops it, or a person cancels. */
async function drive(section: Section): Promise<void> {
  const { job } = section;
  if (job === null) return;
  const driver = new AbortController();
  section.driver = driver;
  atWork(job);
  let end: FillReply | PageFailure | null = null;
  while (end === null && !driver.signal.aborted) end = await step(section, job.id, driver.signal);
  section.driver = null;
  if (end === null) rest('Cancelled. Resume goes on where it stopped.', false);
  else if (!end.ok) rest(end.message, true);
  else if (end.stopped !== null) rest(end.stopped, true);
  else finished(end.job);
  focusFirstButton();
  await refreshAccount();
}

/** One chunk; what it came to when the fill ends with it, null when it goes on. */
async function step(section: Section, id: string, signal: AbortSignal): Promise<FillReply | PageFailure | null> {
  const reply = await ask('sidebarFillChunk', id);
  if (!reply.ok) return reply;
  section.job = reply.job;
  if (reply.job !== null) showJob(reply.job);
  if (reply.stopped !== null || reply.job === null || reply.job.finished) return reply;
  if (reply.wait_s !== null && !signal.aborted) {
    setText('fill-wait', `${reply.wait_reason ?? ''} It goes on by itself in ${reply.wait_s} s.`);
    await countDown(reply.wait_s, signal, (left) => setText('fill-countdown', left === 0 ? '' : `${left} s`));
    setText('fill-wait', '');
  }
  return null;
}

async function discard(section: Section): Promise<void> {
  const { job } = section;
  if (job === null) return;
  const reply = await busy('fill-discard', 'Discarding…', () => ask('sidebarFillDiscard', job.id));
  if (!reply.ok) {
    rest(reply.message, true);
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
  const parts = [`${job.ok} ok`];
  if (job.failed > 0) parts.push(`${job.failed} failed`);
  if (job.gone > 0) parts.push(`${job.gone} no longer in the sheet`);
  parts.push(`${counted(job.credits, 'credit', 'credits')} used`);
  setText('fill-count', `${job.done} of ${counted(job.total, 'profile', 'profiles')} · ${parts.join(' · ')}`);
}

function atWork(job: FillView): void {
  showJob(job);
  setText('fill-title', 'Filling');
  setText('fill-stopped', '');
  setText('fill-done', '');
  showButtons(['cancel']);
  focusFirstButton();
}

/** A stop that nobody asked for is an error. */
function rest(why: string, isError: boolean): void {
  setText('fill-title', 'Stopped');
  setText('fill-wait', '');
  setText('fill-stopped', why);
  byId('fill-stopped', HTMLElement).className = isError ? 'error' : 'note';
  showButtons(['resume', 'discard']);
}

function finished(job: FillView | null): void {
  setText('fill-title', 'Finished');
  const failed = job?.failed ?? 0;
  const why = failed === 0 ? '' : ` ${counted(failed, 'row', 'rows')} failed: the status column says why.`;
  setText('fill-done', `All done.${why}`);
  showButtons(['again']);
}

/** Whoever works with the keyboard goes on where the pressed button was. */
function focusFirstButton(): void {
  byId('fill-job', HTMLElement).querySelector<HTMLButtonElement>('.buttons button:not([hidden])')?.focus();
}

function showButtons(shown: readonly string[]): void {
  for (const name of ['cancel', 'resume', 'discard', 'again']) show(`fill-${name}`, shown.includes(name));
}
