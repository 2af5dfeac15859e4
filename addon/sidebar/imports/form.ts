import { choosableFields, importKinds, type KindName, kindNames, kindOf } from '../../imports/kinds.ts';
import type { Cells, SavedImport } from '../../imports/saved-import.ts';
import type { PickedCells } from '../../imports/source.ts';
import type { SaveReply } from '../../imports/views.ts';
import { callServer } from '../call.ts';
import {
  byId,
  counted,
  onClick,
  onSubmit,
  selectKnown,
  setOptions,
  setText,
  show,
  showCalculating,
  showFailure,
  whileBusy,
} from '../elements.ts';
import { showAges, showTicks, tickedFields } from '../field-choices.ts';
import { choices, remember } from '../home/remembered.ts';
import { newId } from '../new-id.ts';
import { createNewest } from '../order.ts';
import { costSentence } from '../picked-cells.ts';
import { showColumns } from './columns.ts';

/**
 * The state of the import form that its input fields do not contain: an ID that is new each time the form opens, the
 * import that the user edits (null for a new one), and the picked cells.
 */
type FormState = { id: string; edited: SavedImport | null; cells: Cells | null };
type Listener = { saved: (reply: SaveReply, runs: boolean) => void; closed: () => void };

/** A new object each time the form opens. A reply of the server to an earlier object is ignored. */
let state: FormState = { id: newId(), edited: null, cells: null };
const beginCost = createNewest();
const formButtons = ['import-run', 'import-save', 'import-back'];
const value = (id: string): string => byId(id, HTMLInputElement).value.trim();
const chosen = (id: string): string => byId(id, HTMLSelectElement).value;
const box = (id: string): HTMLInputElement => byId(id, HTMLInputElement);

/** Sets up the form in which users create or edit an import. */
export function startImportForm(listener: Listener): void {
  setOptions(
    'import-kind',
    kindNames.map((name) => [name, importKinds[name].label] as const),
    'profiles',
  );
  showAges('import-age');
  onClick('import-pick', () => void pick(true));
  onClick('import-target-pick', () => void pickTarget());
  onClick('import-back', listener.closed);
  onClick('import-save', () => void save('import-save', listener, false));
  onSubmit('import-form', () => void save('import-run', listener, true));
  byId('import-kind', HTMLSelectElement).addEventListener('change', () => showFields(null));
  byId('import-age', HTMLSelectElement).addEventListener('change', () => {
    if (state.edited === null) remember({ ages: { imports: chosen('import-age') } });
  });
  byId('import-platform', HTMLSelectElement).addEventListener('change', () => {
    if (state.edited === null) remember({ platforms: { imports: chosen('import-platform') } });
  });
  byId('import-form', HTMLFormElement).addEventListener('change', ({ target }) => {
    showParts();
    // The name does not affect the cost. The `change` event of its input often arrives while the user presses a button.
    if (target !== box('import-name')) void showCost();
  });
}

/** Fills the form of an import: with the values of a saved import, or for a new import with the selected cells. */
export function openForm(saved: SavedImport | null): void {
  state = { id: newId(), edited: null, cells: null };
  beginCost();
  setText('import-cost', '');
  setText('import-error', '');
  setText('import-form-title', saved === null ? 'New import' : 'Edit import');
  byId('import-form', HTMLFormElement).reset();
  showAges('import-age');
  setText('import-picked', 'No cells selected');
  setText('import-first', '');
  showColumns([]);
  byId('import-kind', HTMLSelectElement).focus();
  if (saved !== null) {
    fill(saved);
    return;
  }
  selectKnown('import-age', choices().ages?.imports);
  selectKnown('import-platform', choices().platforms?.imports);
  showFields(null);
  void pick(false);
}

function fill(saved: SavedImport): void {
  state.edited = saved;
  box('import-name').value = saved.name;
  byId('import-kind', HTMLSelectElement).value = saved.kind;
  const isList = 'list' in saved.source;
  choose('import-source', isList ? 'list' : 'cells');
  if ('list' in saved.source) byId('import-list', HTMLTextAreaElement).value = saved.source.list.join('\n');
  else {
    state.cells = saved.source.cells;
    setText('import-picked', cellsText(saved.source.cells));
    box('import-heading').checked = saved.source.heading;
  }
  box('import-hidden').checked = saved.with_hidden;
  byId('import-platform', HTMLSelectElement).value = saved.platform ?? '';
  box('import-limit').value = String(saved.limit ?? '');
  choose('import-mode', saved.target === 'beside' ? 'beside' : saved.mode);
  if (saved.target !== 'beside') {
    box('import-sheet').value = saved.target.sheet;
    box('import-cell').value = saved.target.a1;
  }
  byId('import-age', HTMLSelectElement).value = saved.max_age;
  byId('import-schedule', HTMLSelectElement).value = String(saved.schedule?.every_hours ?? '');
  byId('import-weekday', HTMLSelectElement).value = String(saved.schedule?.weekday ?? 1);
  showFields(saved.fields);
  void showCost();
}

function choose(name: string, option: string): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)) {
    radio.checked = radio.value === option;
  }
}

function choiceOf(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value ?? '';
}

function showFields(ticked: readonly string[] | null): void {
  const kind = chosen('import-kind') as KindName;
  const before = choices().fields?.[`import_${kind}`] ?? kindOf(kind).usual;
  showTicks('import-fields', choosableFields(kind), ticked ?? before, () => {
    if (state.edited === null) remember({ fields: { [`import_${kind}`]: tickedFields('import-fields') } });
  });
  showParts();
}

/** Shows the inputs of the import form that the current choices need, and hides the other inputs. */
function showParts(): void {
  const kind = chosen('import-kind') as KindName;
  const isList = choiceOf('import-source') === 'list';
  const besideAllowed = kind !== 'latest' && !isList;
  const beside = document.querySelector<HTMLInputElement>('input[name="import-mode"][value="beside"]');
  if (beside !== null) beside.disabled = !besideAllowed;
  if (!besideAllowed && choiceOf('import-mode') === 'beside') choose('import-mode', 'replace');
  const isTable = choiceOf('import-mode') !== 'beside';
  if (isTable && isSuggestedSheet(value('import-sheet'))) box('import-sheet').value = importKinds[kind].label;
  setText('import-source-legend', kind === 'posts' ? 'Post and video links' : 'Profile links or handles');
  show('import-cells', !isList);
  show('import-typed', isList);
  show('import-target', isTable);
  show('import-limit-row', kind === 'latest');
  show('import-weekday-row', chosen('import-schedule') === '168');
  show('import-schedule-hint', chosen('import-schedule') !== '');
  box('import-name').placeholder = suggestedName();
}

/**
 * Returns true when the sheet name in the import form is empty or is a suggestion of the form. The form may replace
 * such a name.
 */
function isSuggestedSheet(name: string): boolean {
  return name === '' || (state.edited === null && kindNames.some((kind) => importKinds[kind].label === name));
}

/** Returns the name for an import that the user has not named, such as "Profiles in Creators". */
function suggestedName(): string {
  const { label } = importKinds[chosen('import-kind') as KindName];
  return choiceOf('import-source') === 'list' || state.cells === null ? label : `${label} in ${state.cells.sheet}`;
}

function cellsText({ sheet, a1, open }: Cells): string {
  return `${sheet}, ${a1}${open ? ' and rows added below' : ''}`;
}

/**
 * Reads the selected cells into the form of an import. `byUser`: true when the user pressed the button; otherwise an
 * unsuitable selection is not shown as an error.
 */
async function pick(byUser: boolean): Promise<void> {
  const form = state;
  const reply = await whileBusy('import-pick', 'Reading…', () => callServer('sidebarPickCells'));
  if (form !== state) return;
  showFailure('import-error', byUser ? reply : { ok: true });
  if (!reply.ok || (!byUser && reply.entries === 0)) return;
  showPicked(reply);
  await showCost();
}

function showPicked({ cells, entries, first, heading }: PickedCells): void {
  state.cells = cells;
  showParts();
  setText('import-picked', `${cellsText(cells)}: ${counted(entries, 'entry', 'entries')}`);
  box('import-heading').checked = heading === true;
  setText('import-first', heading === null ? `“${first}” may be a handle. Tick this if it is a heading.` : '');
}

async function pickTarget(): Promise<void> {
  const form = state;
  const reply = await whileBusy('import-target-pick', 'Reading…', () => callServer('sidebarPickCells'));
  if (form !== state) return;
  showFailure('import-error', reply);
  if (!reply.ok) return;
  box('import-sheet').value = reply.cells.sheet;
  box('import-cell').value = reply.cells.a1.split(':')[0] ?? 'A1';
  await showCost();
}

function readForm(): Record<string, unknown> {
  const isList = choiceOf('import-source') === 'list';
  const mode = choiceOf('import-mode');
  const schedule = chosen('import-schedule');
  return {
    ...{ id: state.edited?.id ?? null, version: state.edited?.version ?? null, form: state.id },
    name: value('import-name') || suggestedName(),
    ...{ kind: chosen('import-kind'), platform: chosen('import-platform'), limit: value('import-limit') },
    source: isList
      ? { list: byId('import-list', HTMLTextAreaElement).value.split('\n') }
      : { cells: state.cells, heading: box('import-heading').checked },
    with_hidden: box('import-hidden').checked,
    mode: mode === 'beside' ? 'replace' : mode,
    target: mode === 'beside' ? null : { sheet: value('import-sheet'), a1: value('import-cell') },
    ...{ fields: tickedFields('import-fields'), max_age: chosen('import-age') },
    schedule: schedule === '' ? null : { every_hours: Number(schedule), weekday: Number(chosen('import-weekday')) },
  };
}

async function showCost(): Promise<void> {
  const isNewest = beginCost();
  const isReady = state.cells !== null || choiceOf('import-source') === 'list';
  if (!isReady) {
    setText('import-cost', '');
    return;
  }
  showCalculating('import-cost', 'Calculating the cost…');
  const reply = await callServer('sidebarImportEstimate', readForm());
  if (!isNewest()) return;
  showColumns(reply.ok ? reply.columns : []);
  if (!reply.ok) {
    setText('import-cost', reply.message);
    return;
  }
  const hidden = reply.hidden === 0 ? '' : ` ${counted(reply.hidden, 'hidden row is', 'hidden rows are')} left out.`;
  const cost = `${costSentence(reply, reply.formula)}${handlesHint(reply.unreadable_rows)}`;
  setText('import-cost', `${cost}${hidden} ${reply.skipped}`.trim());
}

function handlesHint(unreadable: number): string {
  if (unreadable === 0 || chosen('import-platform') !== '' || chosen('import-kind') === 'posts') return '';
  return ` If ${unreadable === 1 ? 'it is a handle, choose its' : 'they are handles, choose their'} platform above.`;
}

async function save(button: string, listener: Listener, runs: boolean): Promise<void> {
  const form = readForm();
  const reply = await whileBusy(button, 'Saving…', () => callServer('sidebarImportSave', form), formButtons);
  showFailure('import-error', reply);
  if (reply.ok) listener.saved(reply, runs);
}
