import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '../setup/test-database.ts';

export interface LimitedRole {
  name: string;
  /** Address of the test database for this role. */
  database_url: string;
  drop(): Promise<unknown>;
}

/** Creates a role without special rights, with which tests connect to a test database. */
export async function createLimitedRole({ sql, database_url }: TestDatabase): Promise<LimitedRole> {
  const name = `limited_${randomBytes(6).toString('hex')}`;
  const password = 'invented-password';
  await sql.unsafe(`create role ${name} login password '${password}'`);
  const url = new URL(database_url);
  url.searchParams.delete('user');
  Object.assign(url, { username: name, password });
  if (url.host === '') url.searchParams.set('user', name);
  return { name, database_url: url.href, drop: () => sql.unsafe(`drop role ${name}`) };
}
