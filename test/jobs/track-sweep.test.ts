import { expect, test } from 'vitest';
import { addItem } from '../../db/tracking/items.ts';
import { trackSweep } from '../../pipeline/jobs/track-sweep.ts';
import { createJobSetup } from '../pipeline/notify/webhook-receiver.ts';

test('all due checks are queued in one statement, each with the time at which it may start', async () => {
  const { db, clock, context, queued, workspace } = await createJobSetup();
  clock.now = new Date('2026-11-02T10:00:00Z');
  const workspaceId = await workspace(10);
  await db.sql`update workspaces set tier = 'ultra'`;
  const times = ['2026-11-01T09:59:00Z', '2026-11-01T10:00:20Z', '2026-11-01T10:00:40Z', '2026-11-01T10:02:00Z'];
  for (const [index, at] of times.entries()) {
    const handle = `tide${index}`;
    const address = { url: `https://www.instagram.com/${handle}/`, identifier: handle };
    await addItem(db.sql, workspaceId, { platform: 'photo', kind: 'profile', ...address }, 10);
    await db.sql`update tracked_items set last_attempt_at = ${new Date(at)} where identifier = ${handle}`;
  }
  let sent = 0;
  const queue: typeof context.queue = {
    send(...sending) {
      sent += 1;
      return context.queue.send(...sending);
    },
  };
  await trackSweep.run([], { ...context, queue });
  expect(sent).toBe(1);
  expect(queued.map(({ start_after }) => start_after?.toISOString())).toEqual([
    undefined,
    '2026-11-02T10:00:20.000Z',
    '2026-11-02T10:00:40.000Z',
  ]);
  await db.close();
});
