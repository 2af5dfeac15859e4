import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../db/deliveries/sheet-imports.ts';
import { type ImportInput, readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { address } from '../batches/batch-workspace.ts';
import { input, openImportBench } from './import-bench.ts';
import { tableOf } from './sheets-grid.ts';

const migrations = join(import.meta.dirname, '../../../db/migrations');
const bench = await openImportBench();

describe('a sheet import that is changed during its run', () => {
  const posts = { kind: 'posts', fields: 'id,likes,status', mode: 'update', target_cell: 'K1' } as const;
  const change = async (workspaceId: string, importId: string, more: Partial<ImportInput>) => {
    const settings = readImportSettings({ ...input, ...more }, bench.clock.now);
    expect(await changeImport(bench.db.sql, workspaceId, importId, settings)).toBe(true);
  };

  test.each(['reading', 'fetching', 'writing'] as const)(
    'a sheet import that is changed in the stage %s ends with the settings of its start, and the next run uses the new ones',
    async (stage) => {
      bench.list('anna', 'bert');
      const workspaceId = await bench.workspace(10);
      const importId = await bench.create(workspaceId, { max_age: '1d' });
      await bench.go(workspaceId, importId);
      const before = bench.table();
      bench.type(2, 3, [['old'], ['old']]);
      const run = await bench.start(workspaceId, importId);
      if (stage !== 'reading') await bench.advance(run);
      if (stage === 'writing') {
        await bench.fetch(run);
        bench.google().mishaps.push({ path: /values:batchGet/, status: 503 });
        await expect(bench.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
      }
      expect((await bench.run_(run)).stage).toBe(stage);
      await change(workspaceId, importId, posts);
      if (stage === 'reading') await bench.advance(run);
      if (stage !== 'writing') await bench.fetch(run);
      await bench.advance(run);
      expect(await bench.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
      expect(bench.table()).toEqual(before);

      bench.type(2, 1, [['https://www.instagram.com/p/CdEfGhIjKlM/'], ['']]);
      expect(await bench.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
      expect(tableOf(bench.sheet())[0]?.slice(10)).toEqual(['URL', 'ID', 'Likes', 'Status']);
      expect(bench.table().map((row) => row.slice(0, 6))).toEqual(before);
    },
  );

  test('a sheet import that is moved during its run replaces its table at the old place without leaving old rows', async () => {
    bench.list('anna', 'bert', 'cleo');
    const workspaceId = await bench.workspace(10);
    const importId = await bench.create(workspaceId, { max_age: '1d' });
    await bench.go(workspaceId, importId);
    bench.list('anna', '', '');
    const run = await bench.start(workspaceId, importId);
    await bench.advance(run);
    await change(workspaceId, importId, { target_cell: 'K1', max_age: '1d' });
    bench.google().mishaps.push({ path: /values:batchClear/, status: 503 });
    await bench.fetch(run);
    await expect(bench.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    await bench.advance(run);
    expect(await bench.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(bench.table().map(([url]) => url ?? '')).toEqual(['URL', address('anna')]);
    expect(await bench.find(workspaceId, importId)).toMatchObject({ covered_rows: 0, covered_fields: null });
  });

  test('a sheet import that is moved during its run recognizes the rows of an interrupted attempt as its own', async () => {
    bench.list('anna');
    const workspaceId = await bench.workspace(10);
    const importId = await bench.create(workspaceId, { max_age: '1d' });
    await bench.go(workspaceId, importId);
    bench.list('anna', 'bert', 'cleo');
    const run = await bench.start(workspaceId, importId);
    await bench.advance(run);
    await change(workspaceId, importId, { target_cell: 'K1', max_age: '1d' });
    bench.google().mishaps.push({ path: /values:batchUpdate/, status: 503, lost: true });
    await bench.fetch(run);
    await expect(bench.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    await bench.advance(run);
    expect(await bench.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 3 });
    expect(bench.table()).toHaveLength(4);
  });

  test('a run of a sheet import that an earlier version has started ends well', async () => {
    bench.list('anna');
    const workspaceId = await bench.workspace(10);
    const importId = await bench.create(workspaceId);
    const run = await bench.start(workspaceId, importId);
    await bench.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    expect(await bench.finish(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(await bench.find(workspaceId, importId)).toMatchObject({ covered_rows: 1 });
    expect(await bench.run_(run)).toMatchObject({ settings: null });
  });

  test('the migration gives the runs that an earlier version has started the settings that a new run gets', async () => {
    const workspaceId = await bench.workspace(10);
    const run = await bench.start(workspaceId, await bench.create(workspaceId, { source_range: '', source_list: 'a' }));
    const { settings } = await bench.run_(run);
    await bench.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    const name = (await readdir(migrations)).find((file) => file.endsWith('_run_settings.sql')) ?? expect.fail();
    const [, filled = ''] = (await readFile(join(migrations, name), 'utf8')).split('--> statement-breakpoint');
    await bench.db.sql.unsafe(filled);
    expect(settings).toMatchObject({ source_list: 'a', covered_rows: 0, covered_fields: null });
    expect((await bench.run_(run)).settings).toEqual(settings);
  });

  test('a run that an earlier version has started writes nothing when its import has another kind now', async () => {
    bench.list('anna');
    const workspaceId = await bench.workspace(10);
    const importId = await bench.create(workspaceId);
    const run = await bench.start(workspaceId, importId);
    await bench.advance(run);
    await bench.db.sql`update sheet_import_runs set settings = null where run_id = ${run.run_id}`;
    await change(workspaceId, importId, posts);
    await bench.fetch(run);
    await bench.advance(run);
    expect(await bench.run_(run)).toMatchObject({ outcome: 'CANCELLED', written_rows: null });
    expect((await bench.run_(run)).message).toContain('was changed during this run');
    expect(bench.table()).toEqual([[], []]);
  });
});
