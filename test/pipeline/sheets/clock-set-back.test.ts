import { expect, test } from 'vitest';
import { correctFutureTimes } from '../../../db/clock/future-times.ts';
import { dayMs, hourMs } from '../../../db/durations.ts';
import { openImportSetup } from './import-setup.ts';

const setup = await openImportSetup();

test('a sheet import that ran while the clock was days ahead runs at its next usual time, and a planned later run is kept', async () => {
  const workspaceId = await setup.workspace(50);
  setup.list('early');
  const [early, planned] = [
    await setup.create(workspaceId, { next_run: '2026-11-20T12:30' }),
    await setup.create(workspaceId, { next_run: '2026-12-24T08:00', target_cell: 'K1' }),
  ];
  const right = setup.clock.now;
  setup.clock.now = new Date(right.getTime() + 9 * dayMs);
  await setup.tickImports();
  await setup.finish(await setup.active(workspaceId, early));
  setup.clock.now = right;
  await correctFutureTimes(setup.db.sql, right);
  const next = async (id: string) => (await setup.find(workspaceId, id)).next_run_at?.toISOString();
  expect(await next(planned)).toBe('2026-12-24T08:00:00.000Z');
  expect([right.toISOString().slice(0, 10), await next(early)]).toEqual(['2026-11-20', '2026-11-20T12:30:00.000Z']);
  await correctFutureTimes(setup.db.sql, right);
  expect(await next(early)).toBe('2026-11-20T12:30:00.000Z');
});

test('a run whose problem began while the clock was ahead still ends after a day without success', async () => {
  setup.list('anna');
  const workspaceId = await setup.workspace(20);
  const importId = await setup.create(workspaceId);
  const right = setup.clock.now.getTime();
  setup.clock.now = new Date(right + 30 * dayMs);
  const run = await setup.start(workspaceId, importId);
  const fails = async () => {
    setup.google().mishaps.push({ path: /^\/v4/, status: 503 });
    await setup.advance(run);
  };
  await expect(fails()).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
  setup.clock.now = new Date(right);
  await expect(fails()).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
  setup.clock.now = new Date(right + 25 * hourMs);
  await fails();
  expect(await setup.run_(run)).toMatchObject({ outcome: 'NO_ANSWER' });
});
