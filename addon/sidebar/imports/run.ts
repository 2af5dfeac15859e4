import type { ImportView, RunReply, RunView } from '../../imports/views.ts';
import type { PageFailure } from '../../platform/page-replies.ts';
import { refreshAccount } from '../account.ts';
import { callServer } from '../call.ts';
import { countDown } from '../countdown.ts';
import { byId, counted, onClick, setText, show, whileBusy } from '../elements.ts';
import { newId } from '../new-id.ts';

/**
 * The import run that the sidebar shows. `id`: the ID of the import. `run_id`: the ID of the run. `is_started`: true
 * when the server code has answered that the run exists. `running`: aborts the loop that requests the steps of the run;
 * null when no loop is active.
 */
type Shown = { id: string | null; run_id: string; is_started: boolean; running: AbortController | null };
const shown: Shown = { id: null, run_id: '', is_started: false, running: null };

/** Sets up the view with the progress of an import run. `closed`: the function that shows the list of imports. */
export function startImportRun(closed: () => void): void {
  onClick('import-pause', pause);
  onClick('import-resume', () => void resume());
  onClick('import-cancel', () => void cancel(closed));
  onClick('import-list-again', closed);
}

/** Starts a new run of an import, or continues its unfinished run. */
export async function runImport(id: string): Promise<void> {
  if (shown.running !== null) return;
  Object.assign(shown, { id, run_id: newId(), is_started: false });
  await resume();
}

/**
 * Starts or continues the run that the sidebar shows. Requests one step after the other until the run is finished,
 * stopped or paused.
 */
async function resume(): Promise<void> {
  const { id } = shown;
  if (id === null || shown.running !== null) return;
  const running = new AbortController();
  shown.running = running;
  showRunning();
  let end: RunReply | PageFailure | null = null;
  const started = await callServer('sidebarImportStart', id, shown.run_id, shown.is_started);
  if (!started.ok || started.run.finished) end = started;
  if (started.ok) {
    const runId = started.run.id;
    Object.assign(shown, { run_id: runId, is_started: true });
    showRun(started.run);
    while (end === null && !running.signal.aborted) end = await step(id, runId, running.signal);
  }
  shown.running = null;
  if (end === null) showStopped('Paused. Choose Resume to continue.', false);
  else if (!end.ok) showStopped(end.message, true);
  else if (end.run.finished) showFinished(end.run);
  else showStopped(end.stopped ?? '', true);
  focusFirstButton();
  await refreshAccount();
}

/** Runs one step of an import run. Returns the answer when the run is finished or stopped; null when it continues. */
async function step(id: string, runId: string, signal: AbortSignal): Promise<RunReply | PageFailure | null> {
  const reply = await callServer('sidebarImportStep', id, runId);
  if (!reply.ok) return reply;
  showRun(reply.run);
  if (reply.run.finished || reply.stopped !== null) return reply;
  if (reply.wait_s !== null && !signal.aborted) {
    setText('import-wait', `${reply.wait_reason} Continues automatically in ${reply.wait_s} s.`);
    await countDown(reply.wait_s, signal, (left) => setText('import-countdown', left === 0 ? '' : `${left} s`));
    setText('import-wait', '');
  }
  return null;
}

/** Shows an unfinished import run that no window is continuing at the moment. */
export function showPaused(view: ImportView): void {
  Object.assign(shown, { id: view.id, run_id: view.run?.id ?? newId(), is_started: view.run !== null });
  if (view.run !== null) showRun(view.run);
  setText('import-done', '');
  showStopped(view.stopped ?? 'This import is not finished. Choose Resume to continue.', view.stopped !== null);
  focusFirstButton();
}

/** Pauses the run after its current step, which can take some seconds. */
function pause(): void {
  setText('import-title', 'Pausing…');
  shown.running?.abort();
}

async function cancel(closed: () => void): Promise<void> {
  const { id, run_id } = shown;
  if (id === null) return;
  const reply = await whileBusy('import-cancel', 'Cancelling…', () => callServer('sidebarImportCancel', id, run_id), [
    'import-resume',
    'import-list-again',
  ]);
  if (reply.ok) closed();
  else showStopped(reply.message, true);
}

function showRun(run: RunView): void {
  const bar = byId('import-bar', HTMLProgressElement);
  bar.max = Math.max(1, run.total);
  bar.value = run.done;
  const parts = [`${run.ok} OK`];
  if (run.failed > 0) parts.push(`${run.failed} failed`);
  if (run.removed > 0) parts.push(`${run.removed} no longer in the sheet`);
  if (run.hidden > 0) parts.push(`${run.hidden} in hidden rows left out`);
  parts.push(`${counted(run.credits, 'credit', 'credits')} used`);
  setText('import-count', `${run.done} of ${run.total.toLocaleString('en-US')} · ${parts.join(' · ')}`);
}

function showRunning(): void {
  setText('import-title', 'Running');
  setText('import-count', '');
  setText('import-stopped', '');
  setText('import-done', '');
  showButtons(['pause']);
  focusFirstButton();
}

/**
 * Shows why an import run stopped. `isError`: false for a run that the user paused; the reason is then shown as a note.
 */
function showStopped(why: string, isError: boolean): void {
  setText('import-title', 'Stopped');
  setText('import-wait', '');
  setText('import-stopped', why);
  byId('import-stopped', HTMLElement).className = isError ? 'error' : 'note';
  showButtons(['resume', 'cancel', 'list-again']);
}

function showFinished(run: RunView): void {
  setText('import-title', 'Finished');
  const why =
    run.failed === 0 ? '' : ` ${counted(run.failed, 'row', 'rows')} failed. See the status column for the reason.`;
  setText('import-done', `All done.${why} ${run.skipped}`.trim());
  byId('import-done', HTMLElement).className = run.failed === 0 ? 'done' : 'warning';
  showButtons(['list-again']);
}

/**
 * Moves the keyboard focus to the first visible button of the progress view, because the pressed button is now hidden
 * and cannot keep the focus.
 */
function focusFirstButton(): void {
  byId('import-progress', HTMLElement).querySelector<HTMLButtonElement>('.buttons button:not([hidden])')?.focus();
}

function showButtons(names: readonly string[]): void {
  for (const name of ['pause', 'resume', 'cancel', 'list-again']) show(`import-${name}`, names.includes(name));
}
