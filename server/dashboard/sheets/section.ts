import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { listRuns, type RunProgress } from '../../../db/deliveries/sheet-import-runs.ts';
import {
  addImport,
  changeImport,
  findImport,
  listImports,
  maxImports,
  pauseImport,
  removeImport,
  type SheetImport,
} from '../../../db/deliveries/sheet-imports.ts';
import { readBatch, resultParts } from '../../../pipeline/batches/batches.ts';
import { cancelRun, runImportNow } from '../../../pipeline/sheets/import-runs.ts';
import { type ImportInput, ImportSettingsError, readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { longTableResponse, type TableFormat } from '../../http/attachment.ts';
import type { SheetsDeps } from '../deps.ts';
import { card, count, form, notice, type Piece, table, tag, time, titleColumn } from '../ui/components.ts';
import type { FieldProblem, Problem } from '../ui/forms/field-problem.ts';
import { whoCan } from '../ui/rules.ts';
import {
  type FormVisit,
  idOf,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { sharingHint, sheetLink } from './google.ts';
import { costOfLines } from './import-cost.ts';
import {
  columnsName,
  importForm,
  importInputOf,
  importKindNames,
  newImport,
  scheduleNames,
  scheduleOf,
  shownInput,
  typedInput,
  unchangedSettings,
} from './import-form.ts';
import { runState, runTable } from './import-runs.ts';
import { tooManyStarts } from './start-limit.ts';

const area = '/dashboard/imports';
const one = `${area}/:import_id`;

/** Creates the pages of sheet imports, which fill a Google spreadsheet that a user shares with this server. */
export function importsSection(deps: SheetsDeps): Section {
  const { db, now } = deps;
  const labelOf = async ({ params, visitor }: Visit) =>
    (await findImport(db.sql, visitor.workspace_id, idOf(params.import_id), now()))?.label ?? null;
  return {
    menu: { path: area, label: 'Sheet imports' },
    pages: {
      [area]: (visit) => listPage(visit, deps),
      [`${area}/new`]: (visit) => newPage(visit, deps),
      [one]: (visit) => importPage(visit, deps),
      [`${one}/runs/:run_id/rows.csv`]: (visit) => downloadRun(visit, deps, 'csv'),
      [`${one}/runs/:run_id/rows.xlsx`]: (visit) => downloadRun(visit, deps, 'xlsx'),
    },
    forms: {
      [area]: (visit) => create(visit, deps),
      [one]: (visit) => change(visit, deps),
      [`${one}/run`]: (visit) => runNow(visit, deps),
      [`${one}/pause`]: (visit) => pause(visit, deps, true),
      [`${one}/resume`]: (visit) => pause(visit, deps, false),
      [`${one}/remove`]: (visit) => remove(visit, deps),
      [`${one}/runs/:run_id/cancel`]: (visit) => cancel(visit, deps),
    },
    once: { [area]: area },
    notices: {
      'import-created': 'Import created.',
      'import-saved': 'Import saved. The next run uses these settings.',
      'import-running': 'The import is running. You can leave this page; it continues in the background.',
      'import-paused': 'Import paused. A run in progress waits until you resume the import.',
      'import-resumed': 'Import resumed.',
      'import-removed': 'Import removed. The data that it wrote stays in the spreadsheet.',
      'run-cancelled': 'Run cancelled. Rows that were already being fetched are still charged; nothing is written.',
    },
    audits: {
      [area]: { action: 'created a sheet import', subject: ({ form: sent }) => text(sent, 'label') },
      [one]: { action: 'changed a sheet import', subject: labelOf },
      [`${one}/remove`]: { action: 'removed a sheet import', subject: labelOf },
    },
  };
}

async function ownImport({ params, visitor }: Visit, { db, now }: SheetsDeps): Promise<SheetImport> {
  const found = await findImport(db.sql, visitor.workspace_id, idOf(params.import_id), now());
  if (!found) throw new PageNotFound();
  return found;
}

async function listPage({ visitor }: Visit, deps: SheetsDeps): Promise<Page> {
  const { db, now, config } = deps;
  const imports = await listImports(db.sql, visitor.workspace_id, now());
  const runs = new Map((await listRuns(db.sql, visitor.workspace_id, null)).map((run) => [run.import_id, run]));
  const list =
    imports.length === 0
      ? html`<p>No imports yet. ${whoCan(visitor, area, '', 'create imports')}</p>`
      : importTable(imports, runs);
  const full = `A workspace can have ${maxImports} imports. Remove one first.`;
  const add =
    imports.length < maxImports ? html`<a class="button" data-needs="${area}" href="${area}/new">New import</a>` : full;
  const content = html`<p>A sheet import reads links in your Google spreadsheet and writes their numbers into it, on a schedule. This server runs it: you need no add-on, and the file can be closed. Imports that you create in the add-on are separate. They run in one file, with the Google account of the person who created them. <a href="/docs/sheets-push#imports">How sheet imports work</a></p>
${sharingHint(deps, visitor.workspace_id)}${card('Imports', [list, config.sheets_account === null ? null : html`<p>${add}</p>`])}`;
  return { title: 'Sheet imports', content };
}

function importTable(imports: readonly SheetImport[], runs: ReadonlyMap<string, RunProgress>): Piece {
  const rows = imports.map((item) => {
    const last = runs.get(item.import_id);
    return [
      html`<a href="${area}/${item.import_id}">${item.label}</a><small>${importKindNames[item.kind]} into ${sheetLink(item.spreadsheet_id, item.target_sheet)}</small>`,
      last ? html`${runState(last)} <small>${time(last.started_at)}</small>` : 'not run yet',
      html`${nextRun(item)}<small>${scheduleNames[scheduleOf(item)] ?? ''}</small>`,
      monthUsed(item),
    ];
  });
  const columns = [
    titleColumn('Name'),
    { heading: 'Last run', time: true },
    { heading: 'Next run', time: true },
    { heading: 'Credits this month', number: true },
  ];
  return table('Imports of this workspace', columns, rows, { as_cards: true });
}

function nextRun({ paused, next_run_at }: SheetImport): Piece {
  if (paused) return tag('paused', 'warn');
  return next_run_at === null ? 'when you start it' : time(next_run_at);
}

function monthUsed({ month_used, monthly_cap }: SheetImport): string {
  return monthly_cap === null ? count(month_used) : `${count(month_used)} of ${count(monthly_cap)}`;
}

/**
 * Returns the page for a new sheet import. When the query parameter `from` is the ID of another import, the form
 * contains its settings.
 */
async function newPage(visit: Visit, deps: SheetsDeps): Promise<Page> {
  const from = visit.url.searchParams.get('from');
  if (from === null) return formPage(visit, deps, newImport, null);
  const source = importInputOf(await ownImport({ ...visit, params: { import_id: from } }, deps));
  return formPage(visit, deps, { ...source, label: '', target_cell: '' }, null);
}

/**
 * Returns the page with the form for a new sheet import. Without a Google service account no import can run, so the
 * page only says that this account is missing.
 */
function formPage({ visitor }: Visit, deps: SheetsDeps, input: ImportInput, problem: Problem | null): Page {
  const settings = deps.config.sheets_account === null ? null : importForm(area, input, 'Create import', null);
  const content = html`${notice(problem, 'bad')}${sharingHint(deps, visitor.workspace_id)}
${settings && card('Settings', settings)}<p><a href="${area}">All imports</a></p>`;
  return { title: 'New sheet import', content, status: problem ? 400 : 200 };
}

/** Returns the page of a sheet import. `sent`: the settings that a user entered and that were refused. */
async function importPage(visit: Visit, deps: SheetsDeps, problem?: Problem, sent?: FormData): Promise<Page> {
  const item = await ownImport(visit, deps);
  const runs = await listRuns(deps.db.sql, visit.visitor.workspace_id, item.import_id);
  const path = `${area}/${item.import_id}`;
  const facts = html`<p id="import-facts">${importKindNames[item.kind]} into ${sheetLink(item.spreadsheet_id, `${item.target_sheet}!${item.target_cell}`)}. Next run (UTC): ${nextRun(item)}. Credits this month: ${monthUsed(item)}. ${costOfLines(item, runs.find(({ total }) => total > 0)?.total)}</p>`;
  const isRunning = runs.some(({ finished_at }) => finished_at === null);
  const canRun = deps.config.sheets_account !== null;
  const input = sent ? typedInput(sent) : importInputOf(item);
  const shown = sent ? shownInput(sent) : input;
  const actions = html`<div id="import-actions" class="row actions">${!canRun || item.paused || isRunning ? null : form(`${path}/run`, '', 'Run now')}
${item.paused ? form(`${path}/resume`, '', 'Resume') : form(`${path}/pause`, '', 'Pause', 'quiet')}
${canRun ? html`<a class="button quiet" data-needs="${area}" href="${area}/new?from=${item.import_id}">Duplicate</a>` : null}
<form method="post" action="${path}/remove" data-confirm="Remove this import and its log? The data that it wrote stays in the spreadsheet."><button class="danger">Remove</button></form></div>`;
  const content = html`${notice(problem ?? null, 'bad')}${facts}${actions}
${card('Last runs', runTable(item, runs))}
${card('Settings', [sharingHint(deps, item.workspace_id), importForm(path, input, 'Save', shown)])}
<p><a href="${area}">All imports</a></p>`;
  return { title: item.label, content, status: problem ? 400 : 200 };
}

/**
 * Returns the name of the form field for a setting of a sheet import. The columns are check boxes, whose name depends
 * on the kind of import.
 */
const controlOf = (field: keyof ImportInput, { kind }: ImportInput) => (field === 'fields' ? columnsName(kind) : field);

/** Returns the validated settings of a sheet import, or the sentence that says what to change. */
function settingsIn(input: ImportInput, now: Date): ReturnType<typeof readImportSettings> | FieldProblem {
  try {
    return readImportSettings(input, now);
  } catch (error) {
    if (error instanceof ImportSettingsError) return { field: controlOf(error.field, input), message: error.message };
    throw error;
  }
}

async function create(visit: FormVisit, deps: SheetsDeps): Promise<Page | Response> {
  const { form: sent, visitor } = visit;
  const input = typedInput(sent);
  const settings = settingsIn(input, deps.now());
  if ('message' in settings) return formPage(visit, deps, input, settings);
  const importId = await addImport(deps.db.sql, visitor.workspace_id, settings, deps.now());
  if (importId !== null) return redirect(`${area}/${importId}`, 'import-created');
  return formPage(visit, deps, input, `A workspace can have ${maxImports} imports. Remove one first.`);
}

async function change(visit: FormVisit, deps: SheetsDeps): Promise<Page | Response> {
  const { import_id, workspace_id } = await ownImport(visit, deps);
  const settings = settingsIn(typedInput(visit.form), deps.now());
  if ('message' in settings) return importPage(visit, deps, settings, visit.form);
  await changeImport(deps.db.sql, workspace_id, import_id, settings, unchangedSettings(visit.form));
  return redirect(`${area}/${import_id}`, 'import-saved');
}

async function runNow(visit: FormVisit, deps: SheetsDeps): Promise<Page | Response> {
  const item = await ownImport(visit, deps);
  const refused = await tooManyStarts(deps, visit.visitor);
  if (refused) return importPage(visit, deps, refused);
  if (await runImportNow(deps, item)) return redirect(`${area}/${item.import_id}`, 'import-running');
  return importPage(
    visit,
    deps,
    item.paused
      ? 'The import is paused. Resume it first.'
      : 'A run is still in progress. Wait until it ends, or cancel it.',
  );
}

async function pause(visit: FormVisit, deps: SheetsDeps, paused: boolean): Promise<Response> {
  const { workspace_id, import_id } = await ownImport(visit, deps);
  await pauseImport(deps.db.sql, workspace_id, import_id, paused);
  return redirect(`${area}/${import_id}`, paused ? 'import-paused' : 'import-resumed');
}

async function remove(visit: FormVisit, deps: SheetsDeps): Promise<Response> {
  const { workspace_id, import_id } = await ownImport(visit, deps);
  await removeImport(deps.db.sql, workspace_id, import_id);
  return redirect(area, 'import-removed');
}

async function ownRun(visit: Visit, deps: SheetsDeps): Promise<RunProgress> {
  const { workspace_id, import_id } = await ownImport(visit, deps);
  const run = (await listRuns(deps.db.sql, workspace_id, import_id)).find(
    ({ run_id }) => run_id === visit.params.run_id,
  );
  if (!run) throw new PageNotFound();
  return run;
}

async function cancel(visit: FormVisit, deps: SheetsDeps): Promise<Page | Response> {
  const run = await ownRun(visit, deps);
  const result = await cancelRun(deps, run);
  if (result === 'cancelled') return redirect(`${area}/${run.import_id}`, 'run-cancelled');
  return importPage(
    visit,
    deps,
    result === 'writing'
      ? 'The run is already writing its rows into the spreadsheet, so it can no longer be cancelled.'
      : 'The run has already ended.',
  );
}

async function downloadRun(visit: Visit, deps: SheetsDeps, format: TableFormat): Promise<Response> {
  const run = await ownRun(visit, deps);
  if (run.total === 0) throw new PageNotFound();
  const { columns, parts } = resultParts(deps.db.sql, await readBatch(deps.db.sql, run.workspace_id, run.run_id));
  return longTableResponse(`import-${dayOf(run.started_at)}`, format, columns, parts);
}
