import { afterAll, expect, test } from 'vitest';
import { readDistribution } from '../../db/distribution/distributed.ts';
import { operator } from '../harness/operator.ts';
import { isCitusRun } from '../setup/citus.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const db = await createTestDatabase();
const distribute = (...options: string[]) =>
  operator(['database', 'distribute', ...options], { DATABASE_URL: db.database_url });

afterAll(() => db.close());

test.skipIf(isCitusRun)(
  'on a PostgreSQL server without Citus, tables are not distributed, and the command says what is missing',
  async () => {
    expect(await readDistribution(db.sql)).toBe(false);
    const { code, stderr } = await distribute();
    expect(code).toBe(2);
    expect(stderr).toContain('does not have the Citus extension: install it on every node');
    expect(await readDistribution(db.sql)).toBe(false);
  },
);

test('a number of shards that Citus cannot create is refused before anything changes', async () => {
  const { code, stderr } = await distribute('--shards', '0');
  expect([code, stderr.split('\n')[0]]).toEqual([2, '--shards must be between 1 and 1024, not 0.']);
});
