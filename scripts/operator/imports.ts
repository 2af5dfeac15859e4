import { addAudit } from '../../db/accounts/audit.ts';
import { listRuns } from '../../db/deliveries/sheet-import-runs.ts';
import { findImport, listImports, pauseImport } from '../../db/deliveries/sheet-imports.ts';
import { runImportNow } from '../../pipeline/sheets/import-runs.ts';
import { type Command, type Context, commandId, existingWorkspace, textTable, UsageError } from './command.ts';
import { withJobContext } from './queue.ts';

export const importList: Command = {
  name: 'import list',
  usage: 'ID',
  does: 'lists the sheet imports of a workspace with their last run',
  args: ['ID'],
  options: [],
  async run(context) {
    const { db, now } = context;
    const { workspace_id } = await existingWorkspace(importList, 'ID', context);
    const runs = new Map((await listRuns(db.sql, workspace_id, null)).map((run) => [run.import_id, run]));
    const imports = await listImports(db.sql, workspace_id, now());
    const rows = imports.map(({ import_id, label, paused, next_run_at, month_used, monthly_cap }) => {
      const { started_at = null, outcome = null, message = null } = runs.get(import_id) ?? {};
      const last = { last_run_at: started_at, last_outcome: outcome, last_message: message };
      return { import_id, label, paused, next_run_at, month_used, monthly_cap, ...last };
    });
    return { json: rows, text: textTable(rows) };
  },
};

export const importRun = commandForOne(
  'run',
  'starts a sheet import now; the pipeline does the work',
  async (context, ids) => {
    const found = await findImport(context.db.sql, ids.workspace_id, ids.import_id, context.now());
    if (!found) return false;
    const write = () => undefined;
    const started = await withJobContext(context, { info: write, warn: write, error: write }, (own) =>
      runImportNow(own, found),
    );
    if (started) return true;
    throw new UsageError(
      found.paused ? 'The import is paused: run `import resume` first.' : 'A run is in progress: wait until it ends.',
    );
  },
);

export const importPause = commandForOne('pause', 'pauses a sheet import and its run', ({ db }, ids) =>
  pauseImport(db.sql, ids.workspace_id, ids.import_id, true),
);

export const importResume = commandForOne('resume', 'resumes a paused sheet import', ({ db }, ids) =>
  pauseImport(db.sql, ids.workspace_id, ids.import_id, false),
);

type ImportId = { workspace_id: string; import_id: string };

/** Returns a command that changes one import. `change` returns false when the workspace has no such import. */
function commandForOne(
  word: 'run' | 'pause' | 'resume',
  does: string,
  change: (context: Context, ids: ImportId) => Promise<boolean>,
): Command {
  const command: Command = {
    name: `import ${word}`,
    usage: 'ID IMPORT_ID',
    does,
    args: ['ID', 'IMPORT_ID'],
    options: [],
    async run(context) {
      const [workspaceId = '', importId = ''] = context.args;
      const ids = {
        workspace_id: commandId(command, 'ID', workspaceId),
        import_id: commandId(command, 'IMPORT_ID', importId),
      };
      if (!(await change(context, ids)))
        throw new UsageError(
          `There is no import ${importId}: \`import list WORKSPACE_ID\` shows the imports of a workspace.`,
        );
      const { db, now } = context;
      const found = await findImport(db.sql, ids.workspace_id, ids.import_id, now());
      const entry = { actor: 'operator', action: `${pastForms[word]} a sheet import`, subject: found?.label ?? null };
      await addAudit(db.sql, ids.workspace_id, entry, now());
      return { json: { ...ids, [pastForms[word]]: true }, text: `Sheet import ${importId}: ${pastForms[word]}.` };
    },
  };
  return command;
}

const pastForms = { run: 'started', pause: 'paused', resume: 'resumed' } as const;
