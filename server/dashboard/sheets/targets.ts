import { html } from 'hono/html';
import { listTargets, removeTarget, type SheetTarget } from '../../../db/deliveries/sheet-targets.ts';
import { itemsInProgress } from '../../../db/queue.ts';
import { createTarget, pushItem } from '../../../pipeline/sheets/targets.ts';
import type { SheetsDeps } from '../deps.ts';
import {
  card,
  controlsColumn,
  field,
  form,
  type Piece,
  select,
  table,
  tag,
  time,
  titleColumn,
} from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { awaitedIn, awaitingPath, reloadLink } from '../ui/parts/awaited.ts';
import { liveAttributes } from '../ui/parts/live.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { outcomeTag, sharingHint, sheetLink } from './google.ts';
import { tooManyStarts } from './start-limit.ts';

/** Describes campaigns or tracking lists, whose data the server writes into spreadsheets regularly. */
export interface TargetOwner {
  column: 'campaign_id' | 'list_id';
  /**
   * Path pattern of the forms for the spreadsheets of a campaign or list, such as
   * `/dashboard/campaigns/:campaign_id/sheets`.
   */
  path: string;
  /** Returns the ID of the campaign or list in the path. Throws PageNotFound when the ID is invalid. */
  idIn(params: Visit['params']): string;
  /** Returns the path of the page that shows the spreadsheets of a campaign or list. */
  page(id: string): string;
  /** Names of the messages after a spreadsheet was added or removed, and after a push was started. */
  notices: { added: string; removed: string; pushed: string };
  labels: { table: string; modes: [string, string][]; default_tab: string };
}

/** Returns the page again with the reason why its form was refused. */
type ShowRefused = (visit: FormVisit, problem: Problem) => Promise<Page>;

/**
 * Returns the forms for the spreadsheets into which the server writes a campaign or list: to add a spreadsheet, to
 * remove one, and to write into one now.
 */
export function targetForms(owner: TargetOwner, deps: SheetsDeps, refused: ShowRefused): Section['forms'] {
  return {
    [owner.path]: (visit) => add(visit, owner, deps, refused),
    [`${owner.path}/:target_id/remove`]: (visit) => remove(visit, owner, deps),
    [`${owner.path}/:target_id/push`]: (visit) => push(visit, owner, deps, refused),
  };
}

/**
 * Returns the `once` entry (see `Section`) of the form that adds a spreadsheet: when the form is sent twice, the second
 * submission leads to the page of the campaign or list.
 */
export function targetOnce({ path, column, page }: TargetOwner): NonNullable<Section['once']> {
  return { [path]: page(`:${column}`) };
}

/**
 * Returns the card with the spreadsheets of one campaign or list, the last push to each, and the form to add one.
 * Without a Google service account, the card has no forms that write into spreadsheets.
 */
export async function targetsCard(
  { visitor, url }: Visit,
  owner: TargetOwner,
  deps: SheetsDeps,
  { id, intro, typed }: { id: string; intro: Piece; typed: (name: string, value: string) => string },
): Promise<Piece> {
  const canWrite = deps.config.sheets_account !== null;
  const targets = (await listTargets(deps.db.sql, visitor.workspace_id)).filter((one) => one[owner.column] === id);
  const keys = awaitedIn(url, deps.now())?.refreshed ? targets.map((target) => pushItem(target).key) : [];
  const running = await itemsInProgress(deps.db.sql, 'push-sheets', keys);
  const action = formPath(owner, id);
  return card('Write to Google Sheets', [
    intro,
    sharingHint(deps, visitor.workspace_id),
    targets.length === 0 ? null : targetTable(targets, { path: action, url, labels: owner.labels, canWrite, running }),
    canWrite ? newTargetForm(action, owner, typed) : null,
  ]);
}

const formPath = ({ path, column }: TargetOwner, id: string) => path.replace(`:${column}`, id);

/** HTML id of the table of spreadsheets. */
const tableId = 'sheet-targets';

interface TargetTable {
  /** Path of the forms of the spreadsheets. */
  path: string;
  url: URL;
  labels: TargetOwner['labels'];
  canWrite: boolean;
  /** The queue keys of the spreadsheets that are being written. */
  running: ReadonlySet<string>;
}

/** Returns the table of spreadsheets. While one of them is being written, the page refreshes the table. */
function targetTable(targets: readonly SheetTarget[], { path, url, labels, canWrite, running }: TargetTable): Piece {
  const rows = targets.map((target) => {
    const { target_id, spreadsheet_id, sheet_name, mode, last_pushed_at } = target;
    const action = `${path}/${target_id}`;
    return [
      sheetLink(spreadsheet_id, sheet_name),
      mode === 'append' ? 'adds rows' : 'replaces the tab',
      running.has(pushItem(target).key) ? tag('writing') : lastAttempt(target),
      last_pushed_at === null ? 'never' : time(last_pushed_at),
      html`<div class="row">${canWrite ? form(`${action}/push`, '', 'Write now', 'quiet') : null}<form method="post" action="${action}/remove" data-confirm="Stop writing into this spreadsheet? Existing rows stay."><button class="danger">Remove</button></form></div>`,
    ];
  });
  const columns = [
    titleColumn('Tab'),
    'Mode',
    { heading: 'Last attempt', long: true },
    { heading: 'Last written', time: true },
    controlsColumn,
  ];
  const follow = running.size > 0 ? liveAttributes({ id: tableId, path: url.pathname + url.search }) : null;
  return html`<div id="${tableId}"${follow}>${running.size > 0 ? reloadLink(url) : null}${table(labels.table, columns, rows, { as_cards: true })}</div>`;
}

function lastAttempt({ last_outcome, last_message }: SheetTarget): Piece {
  return last_outcome === null ? 'not written yet' : outcomeTag(last_outcome, last_message);
}

function newTargetForm(action: string, { labels }: TargetOwner, typed: (name: string, value: string) => string): Piece {
  return form(
    action,
    html`<div class="columns">${field('Spreadsheet', 'spreadsheet', {
      required: true,
      value: typed('spreadsheet', ''),
      placeholder: 'https://docs.google.com/spreadsheets/d/…',
      hint: 'Link or ID of the spreadsheet.',
    })}${field('Tab for the numbers', 'sheet_name', {
      required: true,
      maxlength: 100,
      value: typed('sheet_name', labels.default_tab),
      hint: 'Created if it does not exist.',
    })}</div>${select('How rows are written', 'mode', labels.modes, { value: typed('mode', 'append') })}`,
    'Add this spreadsheet',
    'quiet',
  );
}

async function add(
  visit: FormVisit,
  owner: TargetOwner,
  { db }: SheetsDeps,
  refused: ShowRefused,
): Promise<Page | Response> {
  const { form: sent, params, visitor } = visit;
  const id = owner.idIn(params);
  const [spreadsheet, sheetName, mode] = [text(sent, 'spreadsheet'), text(sent, 'sheet_name'), text(sent, 'mode')];
  const created = await createTarget(db.sql, visitor.workspace_id, {
    [owner.column]: id,
    spreadsheet,
    sheet_name: sheetName,
    mode,
  });
  if (created.ok) return redirect(owner.page(id), owner.notices.added);
  if (created.code === 'RESOURCE_NOT_FOUND') throw new PageNotFound();
  return refused(visit, at(created.field, created.message));
}

async function remove(visit: FormVisit, owner: TargetOwner, deps: SheetsDeps): Promise<Response> {
  const { target, id } = await targetOf(visit, owner, deps);
  await removeTarget(deps.db.sql, visit.visitor.workspace_id, target.target_id);
  return redirect(owner.page(id), owner.notices.removed);
}

/**
 * Queues a push, which writes the missing rows of a campaign or list into its spreadsheet. The job handles one
 * spreadsheet at a time and skips rows that are already written.
 */
async function push(
  visit: FormVisit,
  owner: TargetOwner,
  deps: SheetsDeps,
  refused: ShowRefused,
): Promise<Page | Response> {
  const { target, id } = await targetOf(visit, owner, deps);
  const problem = await tooManyStarts(deps, visit.visitor);
  if (problem) return refused(visit, problem);
  await deps.queue.send('push-sheets', [pushItem(target)]);
  return redirect(`${awaitingPath(owner.page(id), deps.now())}#${tableId}`, owner.notices.pushed);
}

async function targetOf(
  { params, visitor }: FormVisit,
  owner: TargetOwner,
  { db }: SheetsDeps,
): Promise<{ target: SheetTarget; id: string }> {
  const id = owner.idIn(params);
  const targets = await listTargets(db.sql, visitor.workspace_id);
  const target = targets.find((one) => one[owner.column] === id && one.target_id === params.target_id);
  if (!target) throw new PageNotFound();
  return { target, id };
}
