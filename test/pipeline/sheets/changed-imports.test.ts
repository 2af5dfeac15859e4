import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../db/deliveries/sheet-imports.ts';
import { type ImportInput, readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { address } from '../batches/batch-workspace.ts';
import { input, openImportSetup } from './import-setup.ts';
import { tableOf } from './sheets-grid.ts';

const migrations = join(import.meta.dirname, '../../../db/migrations', isCitusRun ? 'citus' : '');
const setup = await openImportSetup();

describe('a sheet import that is changed during its run', () => {
  const posts = { kind: 'posts', fields: 'id,likes,status', mode: 'update', target_cell: 'K1' } as const;
  const change = async (workspaceId: string, importId: string, more: Partial<ImportInput>) => {
    const settings = readImportSettings({ ...input, ...more }, setup.clock.now);
    expect(await changeImport(setup.db.sql, workspaceId, importId, settings)).toBe(true);
  };

  test.each(['reading', 'fetching', 'writing'] as const)(
    'a sheet import that is changed in the stage %s ends with the settings of its start, and the next run uses the new ones',
    async (stage) => {
      setup.list('anna', 'bert');
      const workspaceId = await setup.workspace(10);
      const importId = await setup.create(workspaceId, { max_age: '1d' });
      await setup.go(workspaceId, importId);
      const before = setup.table();
      setup.type(2, 3, [['old'], ['old']]);
      const run = await setup.start(workspaceId, importId);
      if (stage !== 'reading') await setup.advance(run);
      if (stage === 'writing') {
        await setup.fetch(run);
        setup.google().mishaps.push({ path: /values:batchGet/, status: 503 });
        await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      }
      expect((await setup.run_(run)).stage).toBe(stage);
      await change(workspaceId, importId, posts);
      if (stage === 'reading') await setup.advance(run);
      if (stage !== 'writing') await setup.fetch(run);
      await setup.advance(run);
      expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
      expect(setup.table()).toEqual(before);

      setup.type(2, 1, [['https://www.instagram.com/p/CdEfGhIjKlM/'], ['']]);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
      expect(tableOf(setup.sheet())[0]?.slice(10)).toEqual(['URL', 'ID', 'Likes', 'Status']);
      expect(setup.table().map((row) => row.slice(0, 6))).toEqual(before);
    },
  );

  test('a sheet import that is moved during its run replaces its table at the old place without leaving old rows', async () => {
    setup.list('anna', 'bert', 'cleo');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { max_age: '1d' });
    await setup.go(workspaceId, importId);
    setup.list('anna', '', '');
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await change(workspaceId, importId, { target_cell: 'K1', max_age: '1d' });
    setup.google().mishaps.push({ path: /values:batchClear/, status: 503 });
    await setup.fetch(run);
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table().map(([url]) => url ?? '')).toEqual(['URL', address('anna')]);
    expect(await setup.find(workspaceId, importId)).toMatchObject({ covered_rows: 0, covered_fields: null });
  });

  test('a sheet import that is moved during its run recognizes the rows of an interrupted attempt as its own', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { max_age: '1d' });
    await setup.go(workspaceId, importId);
    setup.list('anna', 'bert', 'cleo');
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await change(workspaceId, importId, { target_cell: 'K1', max_age: '1d' });
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 503, lost: true });
    await setup.fetch(run);
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 3 });
    expect(setup.table()).toHaveLength(4);
  });

  test('a run of a sheet import that an earlier version has started ends well', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    expect(await setup.finish(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(await setup.find(workspaceId, importId)).toMatchObject({ covered_rows: 1 });
    expect(await setup.run_(run)).toMatchObject({ settings: null });
  });

  test('the migration gives the runs that an earlier version has started the settings that a new run gets', async () => {
    const workspaceId = await setup.workspace(10);
    const run = await setup.start(workspaceId, await setup.create(workspaceId, { source_range: '', source_list: 'a' }));
    const { settings } = await setup.run_(run);
    await setup.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    const name = (await readdir(migrations)).find((file) => file.endsWith('_run_settings.sql')) ?? expect.fail();
    const [, filled = ''] = (await readFile(join(migrations, name), 'utf8')).split('--> statement-breakpoint');
    await setup.db.sql.unsafe(filled);
    expect(settings).toMatchObject({ source_list: 'a', covered_rows: 0, covered_fields: null });
    expect({ ...(await setup.run_(run)).settings, covered_sheet_id: null }).toEqual(settings);
  });

  test('a run that an earlier version has started writes nothing when the kind of its import has changed', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await setup.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    await change(workspaceId, importId, posts);
    await setup.fetch(run);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'CANCELLED', written_rows: null });
    expect((await setup.run_(run)).message).toContain('was changed during this run');
    expect(setup.table()).toEqual([[], []]);
  });
});
