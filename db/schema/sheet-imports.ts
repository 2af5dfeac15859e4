import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';

/**
 * Sheet imports: the server reads profile or post URLs from a Google spreadsheet, fetches their data and writes the
 * data into the spreadsheet as rows.
 */
export const sheetImports = pgTable(
  'sheet_imports',
  {
    workspace_id: ownedBy(),
    import_id: uuid().notNull(),
    label: text().notNull(),
    spreadsheet_id: text().notNull(),
    /** The cells with the profile or post URLs, such as `Sheet1!A2:A`. Null when the URLs are in `source_list`. */
    source_range: text(),
    /** Profile or post URLs that the user typed, one per line. */
    source_list: text(),
    include_hidden: boolean().notNull(),
    kind: text().notNull(),
    /** The platform of lines that are handles instead of links; null when every line is a link. */
    platform: text(),
    posts_each: integer(),
    fields: text().array().notNull(),
    target_sheet: text().notNull(),
    /** The top left cell of the table that the import writes, such as `C1`. */
    target_cell: text().notNull(),
    mode: text().notNull(),
    max_age_seconds: integer().notNull(),
    /** Seconds between two runs of the import; null when only a user starts runs. */
    every_seconds: integer(),
    next_run_at: moment('next_run_at'),
    paused: boolean().notNull().default(false),
    /** Maximum number of credits that the import may spend in a UTC month; null for no limit. */
    monthly_cap: integer(),
    cap_month: date({ mode: 'string' }),
    cap_used: integer().notNull().default(0),
    /**
     * Number of rows below the header that the last write with the mode `replace` wrote. The next `replace` clears only
     * these.
     */
    covered_rows: integer().notNull().default(0),
    /**
     * The columns of the table that the import last wrote at its target cell. Null until the import has written a table
     * there.
     */
    covered_fields: text().array(),
    /**
     * Google's ID of the tab with these rows. A tab that was deleted and created again with the same name has a
     * different ID. Null until the import has written a table, and for a table that only earlier versions wrote.
     */
    covered_sheet_id: integer(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.import_id] }),
    check('sheet_imports_source', sql`(${table.source_range} is null) <> (${table.source_list} is null)`),
    check('sheet_imports_kind', sql`${table.kind} in ('profiles', 'posts', 'latest_posts')`),
    check('sheet_imports_mode', sql`${table.mode} in ('replace', 'append', 'update')`),
    index('sheet_imports_due').on(table.next_run_at).where(sql`not ${table.paused}`),
  ],
);

/** One run of a sheet import. Its rows are in a batch with the same id. An import has at most one unfinished run. */
export const sheetImportRuns = pgTable(
  'sheet_import_runs',
  {
    workspace_id: ownedBy(),
    run_id: uuid().notNull(),
    import_id: uuid().notNull(),
    trigger: text().notNull(),
    /**
     * The settings of the import when the run started, and the cells that its table covers (see RunSettings in
     * db/deliveries/sheet-import-runs.ts). Null after the run has ended, and for a run that an earlier version started.
     */
    settings: jsonb(),
    stage: text().notNull().default('reading'),
    /**
     * The result of the run: `OK`, `CANCELLED` or an error code. Null until the run ends. Until then, `message`
     * describes the last temporary problem.
     */
    outcome: text(),
    message: text(),
    written_rows: integer(),
    /**
     * The first sheet row that a run with the mode `append` writes. The number is stored before writing, so that a
     * repeated attempt writes to the same rows.
     */
    append_row: integer(),
    started_at: moment('started_at').notNull(),
    finished_at: moment('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.run_id] }),
    foreignKey({
      columns: [table.workspace_id, table.import_id],
      foreignColumns: [sheetImports.workspace_id, sheetImports.import_id],
    }).onDelete('cascade'),
    check('sheet_import_runs_stage', sql`${table.stage} in ('reading', 'fetching', 'writing', 'ended')`),
    check('sheet_import_runs_ended', sql`(${table.stage} = 'ended') = (${table.finished_at} is not null)`),
    uniqueIndex('sheet_import_runs_active')
      .on(table.workspace_id, table.import_id)
      .where(sql`${table.finished_at} is null`),
    index('sheet_import_runs_of_import').on(table.workspace_id, table.import_id, table.started_at),
  ],
);
