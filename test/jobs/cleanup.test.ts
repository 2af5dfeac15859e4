import { expect, test } from 'vitest';
import { removeOld } from '../../pipeline/jobs/cleanup.ts';
import { createTestDatabase } from '../setup/test-database.ts';

test('when expired data of one kind cannot be deleted, other kinds are still deleted, and the error names the kind', async () => {
  const { sql, close } = await createTestDatabase();
  const now = new Date('2026-11-02T10:00:00Z');
  await sql`
    insert into auth_verifications (id, identifier, value, expires_at, created_at, updated_at)
    values ('a', 'a', 'a', ${now}, ${now}, ${now})`;
  await sql`alter table throttles rename to away`;
  await expect(removeOld(sql, now)).rejects.toMatchObject({
    message: 'Expired data of these kinds could not be deleted: throttles.',
    errors: [{ code: '42P01' }],
  });
  expect(await sql`select from auth_verifications`).toHaveLength(0);
  await close();
});
