import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { listTables } from '../../db/distribution/catalog.ts';
import { distributeTables } from '../../db/distribution/distribute.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { createCluster, isCitusRun } from '../setup/citus.ts';
import { listReferences } from '../setup/foreign-keys.ts';
import { databaseName, type TestServer, withDatabase } from '../setup/test-server.ts';

const migrations = join(import.meta.dirname, '../../db/migrations');
/**
 * Number of the first migration that can run on a distributed database. Earlier versions could not distribute tables.
 */
const firstOnCluster = '0024';

test.skipIf(!isCitusRun)(
  'a distributed database with rows is upgraded by all later migrations',
  async () => {
    const { run, nodes } = (await (await fetch(inject('test_server'))).json()) as TestServer;
    const name = databaseName(run, 'upgrade');
    await createCluster(nodes, name);
    const { sql, close } = connectClients(parseDatabaseUrl(withDatabase(nodes[0] ?? '', name)), 'operator');
    const all = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
    const before = all.filter((file) => file < firstOnCluster);
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-migrations-'));
    for (const file of before) await copyFile(join(migrations, file), join(folder, file));
    await migrate(sql, { folder });
    await rm(folder, { recursive: true });
    await distributeTables(sql, { shards: 4 });
    await close();

    const db = connectClients(parseDatabaseUrl(withDatabase(nodes[0] ?? '', name)), 'operator', { distributed: true });
    const workspaces = Array.from({ length: 6 }, () => newId());
    for (const workspaceId of workspaces) await startRun(db.sql, workspaceId);
    expect(await migrate(db.sql)).toEqual(all.slice(before.length));
    const runs = await db.sql`select settings->>'target_cell' as cell from sheet_import_runs`;
    expect(runs.map(({ cell }) => cell)).toEqual(workspaces.map(() => 'A1'));
    const local = (await listTables(db.sql)).filter(
      ({ distributed, placement }) => !distributed && placement.kind === 'shards',
    );
    expect(local.map(({ name: table }) => table)).toEqual([]);
    const references = await listReferences(db.sql);
    expect(references.map(({ locked }) => locked)).toEqual(references.map(({ restored }) => restored));
    await db.close();
  },
  240_000,
);

/** Inserts a workspace with a running sheet import, as the version before the upgrade stored it. */
async function startRun(sql: Parameters<typeof migrate>[0], workspaceId: string): Promise<void> {
  await sql`insert into workspaces (workspace_id, name) values (${workspaceId}, 'before')`;
  const importId = newId();
  await sql`insert into sheet_imports ${sql({
    workspace_id: workspaceId,
    import_id: importId,
    label: 'a',
    spreadsheet_id: 's',
    source_list: 'nasa',
    kind: 'profiles',
    target_sheet: 'Sheet1',
    target_cell: 'A1',
    mode: 'replace',
    fields: ['url'],
    include_hidden: false,
    max_age_seconds: 0,
    created_at: new Date(0),
  })}`;
  await sql`insert into sheet_import_runs ${sql({
    workspace_id: workspaceId,
    run_id: newId(),
    import_id: importId,
    trigger: 'manual',
    stage: 'fetching',
    started_at: new Date(0),
  })}`;
}
