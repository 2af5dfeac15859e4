import { html, raw } from 'hono/html';
import type { ChangingSetting, SheetImport } from '../../../db/deliveries/sheet-imports.ts';
import { rowKinds } from '../../../pipeline/batches/row-requests.ts';
import { defaultLimit, maxLimit } from '../../../pipeline/collect/page.ts';
import { fieldLabel } from '../../../pipeline/rows/field-labels.ts';
import { type ImportInput, maxAges, maxLabelLength, schedules } from '../../../pipeline/sheets/import-settings.ts';
import { maxImportRows } from '../../../pipeline/sheets/import-source.ts';
import { count, field, form, type Piece, select, textarea } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';
import { text } from '../ui/section.ts';
import { costHint } from './import-cost.ts';

export const importKindNames = {
  profiles: 'Profiles',
  posts: 'Posts and videos',
  latest_posts: 'Latest posts of profiles',
};
export const scheduleNames: Readonly<Record<keyof typeof schedules, string>> = {
  manual: 'Only when I start it',
  hourly: 'Every hour',
  six_hours: 'Every 6 hours',
  daily: 'Every day',
  weekly: 'Every week',
};
const modeNames = {
  replace: 'Replace the rows of the last run',
  append: 'Add rows below the last run',
  update: 'Update the rows of the same account or post, add new ones below',
};
const ageNames = {
  new: 'Always get new data',
  '1d': '1 day',
  '3d': '3 days',
  '7d': '7 days',
  '14d': '14 days',
  '30d': '30 days',
};

/** Initial values of the form for a new sheet import. */
export const newImport: ImportInput = {
  label: '',
  spreadsheet: '',
  source_range: 'Sheet1!A2:A',
  source_list: '',
  include_hidden: false,
  kind: 'profiles',
  platform: '',
  posts_each: String(defaultLimit),
  fields: '',
  target_sheet: 'Sheet1',
  target_cell: 'C1',
  mode: 'replace',
  max_age: '1d',
  schedule: 'daily',
  next_run: '',
  monthly_cap: '',
};

const nameOf = <T>(names: Readonly<Record<string, T>>, value: T): string =>
  Object.keys(names).find((name) => names[name] === value) ?? '';

/** Returns the name of a sheet import's schedule. */
export const scheduleOf = ({ every_seconds }: SheetImport): string => nameOf(schedules, every_seconds);

/** Returns the settings of a stored sheet import as texts for its form. */
export function importInputOf(one: SheetImport): ImportInput {
  return {
    label: one.label,
    spreadsheet: one.spreadsheet_id,
    source_range: one.source_range ?? '',
    source_list: one.source_list ?? '',
    include_hidden: one.include_hidden,
    kind: one.kind,
    platform: one.platform ?? '',
    posts_each: String(one.posts_each ?? newImport.posts_each),
    fields: one.fields.length === rowKinds[one.kind].columns.length ? '' : one.fields.join(', '),
    target_sheet: one.target_sheet,
    target_cell: one.target_cell,
    mode: one.mode,
    max_age: nameOf(maxAges, one.max_age_seconds),
    schedule: scheduleOf(one),
    next_run: one.next_run_at?.toISOString().slice(0, 16) ?? '',
    monthly_cap: one.monthly_cap === null ? '' : String(one.monthly_cap),
  };
}

/** Reads the settings of a sheet import from its form, as the user typed them. */
export function typedInput(sent: FormData): ImportInput {
  const names = Object.keys(newImport).filter((name) => name !== 'include_hidden');
  const texts = Object.fromEntries(names.map((name) => [name, text(sent, name)])) as unknown as ImportInput;
  const fields = sent.getAll(columnsName(texts.kind)).join(',');
  return { ...texts, fields, include_hidden: sent.get('include_hidden') !== null };
}

/** The fields of the form with settings that runs change, too, and the names of these settings. */
const changingFields = {
  source_range: 'source_range',
  target_sheet: 'target_sheet',
  target_cell: 'target_cell',
  next_run: 'next_run_at',
} as const satisfies Partial<Record<keyof ImportInput, ChangingSetting>>;
type ChangingField = keyof typeof changingFields;
/** The values that the form showed when the user opened it. */
type ShownInput = Pick<ImportInput, ChangingField>;
const changingNames = Object.keys(changingFields) as ChangingField[];
const shownName = (field: ChangingField) => `shown_${field}`;

/** Returns the values that a sent form showed when the user opened it, from its hidden fields. */
export function shownInput(sent: FormData): ShownInput {
  return Object.fromEntries(changingNames.map((field) => [field, text(sent, shownName(field))])) as ShownInput;
}

/** Returns the settings that the user left as the form showed them. */
export function unchangedSettings(sent: FormData): ChangingSetting[] {
  const left = changingNames.filter((field) => sent.get(field) !== null && sent.get(shownName(field)) !== null);
  return left
    .filter((field) => text(sent, field) === text(sent, shownName(field)))
    .map((field) => changingFields[field]);
}

/**
 * Returns the form with the settings of a sheet import. `action` is the path to which the form is sent. `shown`: what
 * the form of an existing import showed when the user opened it; null for a new import.
 */
export function importForm(action: string, input: ImportInput, button: string, shown: ShownInput | null): Piece {
  const value = (name: Exclude<keyof ImportInput, 'include_hidden'>) => ({ value: input[name] });
  const shownFields =
    shown && changingNames.map((name) => html`<input type="hidden" name="${shownName(name)}" value="${shown[name]}">`);
  return form(
    action,
    [
      html`${shownFields}`,
      field('Name', 'label', { ...value('label'), required: true, maxlength: maxLabelLength }),
      field('Spreadsheet', 'spreadsheet', {
        ...value('spreadsheet'),
        required: true,
        placeholder: 'https://docs.google.com/spreadsheets/d/…',
        hint: 'Link or ID of the spreadsheet.',
      }),
      sourceFields(input),
      targetFields(input),
      html`<div class="columns">${select('How often', 'schedule', Object.entries(scheduleNames), value('schedule'))}
${field('Next run (UTC)', 'next_run', { ...value('next_run'), type: 'datetime-local', hint: 'Later runs start at the same time. Empty: with a schedule, the first run starts when you create the import. Without a schedule, nothing runs until you choose Run now.' })}</div>
<div class="columns">${select('Maximum age of the data', 'max_age', Object.entries(ageNames), { ...value('max_age'), hint: 'Numbers that this server already fetched are free and are written again, if they are newer than this age. For new numbers in each run, choose Always get new data.' })}
${field('Monthly cap in credits', 'monthly_cap', { ...value('monthly_cap'), type: 'number', min: '0', hint: 'Optional. The most credits that the import can spend in a month. Resets on the 1st (UTC).' })}</div>
${costHint()}`,
    ],
    button,
  );
}

function sourceFields(input: ImportInput): Piece {
  const platforms: [string, string][] = [
    ['', 'No handles, only links'],
    ...(['photo', 'shortvideo', 'longvideo'] as const).map((name): [string, string] => [
      name,
      platformNames[name] ?? name,
    ]),
  ];
  return html`<fieldset class="field group"><legend>What to import</legend>
<div class="columns">${select('Import', 'kind', Object.entries(importKindNames), { value: input.kind })}
${select('Platform of @handles', 'platform', platforms, { value: input.platform })}
<div class="for-latest-posts">${field('Posts for each profile', 'posts_each', { value: input.posts_each, type: 'number', min: '1', max: String(maxLimit), hint: `For latest posts: 1 to ${maxLimit}. Empty = ${defaultLimit}. A run writes at most ${count(maxImportRows)} rows (links times posts).` })}</div></div>
${field('Cells with the links', 'source_range', { value: input.source_range, placeholder: 'Sheet1!A2:A', hint: 'Such as Sheet1!A2:A, which also reads rows that you add below. The first link of each row is used. Leave it empty when you enter a list below.' })}
<label class="check"><input type="checkbox" name="include_hidden"${raw(input.include_hidden ? ' checked' : '')}><span>Also read hidden and filtered rows</span></label>
${textarea('Or a list of links, one per line', 'source_list', { value: input.source_list, rows: 3 })}</fieldset>`;
}

/** Tables of a sheet import whose columns the user can choose. Posts and latest posts have the same columns. */
const columnGroups = ['profiles', 'posts'] as const;
/** Returns the name of the form field with the columns of an import. Posts and latest posts share one field. */
export const columnsName = (kind: string): string => (kind === 'profiles' ? 'columns_profiles' : 'columns_posts');

function targetFields(input: ImportInput): Piece {
  return html`<fieldset class="field group"><legend>Where to write</legend>
<div class="columns">${field('Tab', 'target_sheet', { value: input.target_sheet, required: true, maxlength: 100, hint: 'Created if it does not exist.' })}
${field('Cell of the first heading', 'target_cell', { value: input.target_cell, required: true, maxlength: 12, hint: 'Such as C1. Other columns stay as they are.' })}</div>
${select('How rows are written', 'mode', Object.entries(modeNames), { value: input.mode })}
${columnGroups.map((group) => columnBoxes(group, input))}
<p class="hint">The link is always in the first column. Choose nothing to get all columns. When an import adds or updates rows, you can later add columns only at the end.</p>
<p class="hint">After the first run, you may sort the rows, rename headings and tabs, and insert rows or columns above or to the left of the table. Do not move its columns, and insert none between them: the import would stop. Put your own columns beside the table.</p></fieldset>`;
}

/**
 * Returns a collapsible group of check boxes, one for each column. The group is expanded when some columns are chosen.
 */
function columnBoxes(group: (typeof columnGroups)[number], input: ImportInput): Piece {
  const name = columnsName(group);
  const chosen = columnsName(input.kind) === name ? input.fields.split(',').map((column) => column.trim()) : [];
  const columns = rowKinds[group].columns.filter((column) => column !== 'url');
  const isOpen = columns.some((column) => chosen.includes(column));
  const boxes = columns.map(
    (column) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${column}"${raw(chosen.includes(column) ? ' checked' : '')}><span>${fieldLabel(column)}</span></label>`,
  );
  return html`<details class="for-${group}"${raw(isOpen ? ' open' : '')}><summary>Columns of ${group}</summary><div class="boxes">${boxes}</div></details>`;
}
