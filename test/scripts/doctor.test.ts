import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';
import { readConfig } from '../../server/config.ts';
import { operator } from '../harness/operator.ts';
import { openFolder, removeFolder } from '../setup/processes.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../setup/test-database.ts';

let folder: string;
let db: TestDatabase;
beforeAll(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.close();
  await removeFolder(folder, folder);
});

interface Finding {
  check: string;
  state: string;
  detail: string;
}

async function doctor(env: Record<string, string>): Promise<{ code: number; of: (check: string) => Finding[] }> {
  const { stdout, code } = await operator(['doctor', '--json'], { DATABASE_URL: db.database_url, ...env });
  const findings: Finding[] = JSON.parse(stdout);
  return { code, of: (check) => findings.filter((finding) => finding.check === check) };
}

test('the doctor finds nothing wrong with a good installation', async () => {
  const { code, of } = await doctor({ BASE_URL: 'https://social.example', TRUST_PROXY: '1' });
  expect(code).toBe(0);
  for (const check of ['Node', 'database driver', 'settings', 'BASE_URL', 'database', 'migrations'])
    expect(of(check), check).toMatchObject([{ state: 'ok' }]);
});

test('the doctor finds out whether a process runs the background jobs', async () => {
  const detailOf = async (env: Record<string, string>) => (await doctor(env)).of('pipeline')[0];
  const separate = { PIPELINE: 'off' };
  const none = 'no job has finished in the last 24 hours: start';
  const orLog = ', or look for errors in its log when it runs';
  expect(await detailOf({})).toMatchObject({ state: 'note', detail: `${none} the server${orLog}` });
  expect(await detailOf(separate)).toMatchObject({ state: 'warning', detail: `${none} \`npm run pipeline\`${orLog}` });
  const queue = await startQueue({ sql: db.sql, jobs: listJobs(), log: silentLog, work: null });
  await queue.send('track-sweep', [{ key: 'track-sweep', data: {} }]);
  await queue.stop();
  await db.sql`update jobs.job set state = 'completed', completed_on = now() - interval '9 minutes'`;
  expect(await detailOf(separate)).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^a job finished 5\d\d s ago$/),
  });
  await db.sql`update jobs.job set completed_on = now() - interval '11 minutes'`;
  expect(await detailOf(separate)).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(
      /^no job has finished since \d{4}-.*Z: start `npm run pipeline`, or look for errors in its log when it runs$/,
    ),
  });
});

test('the doctor reports all wrong settings together', async () => {
  const { code, of } = await doctor({
    PORT: 'x',
    PIPELINE: 'on',
    SESSION_SECRET: 'short',
    SMTP_URL: 'mail',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  });
  expect(code).toBe(1);
  const named = of('settings').map(({ detail }) => detail.split(' ')[0]);
  expect(named.sort()).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT', 'PIPELINE', 'PORT', 'SESSION_SECRET', 'SMTP_URL']);
});

test.each([
  ['BASE_URL', { BASE_URL: 'http://social.example' }, 'passwords and keys travel unencrypted', 1],
  ['TRUST_PROXY', { BASE_URL: 'https://social.example' }, 'count all users as one machine', 0],
  ['database', { DATABASE_URL: 'postgres://reader@127.0.0.1:1/none' }, '127.0.0.1', 1],
  ['mail', { SMTP_URL: 'smtp://127.0.0.1:1' }, 'does not work (ESOCKET)', 1],
  ['Google Sheets', { GOOGLE_SERVICE_ACCOUNT: '/no/such/file.json' }, 'GOOGLE_SERVICE_ACCOUNT', 1],
  ['sources', { UPSTREAM_REPLAY: 'manifest.json' }, 'all answers are recordings', 0],
] as const)(
  'the doctor finds what is wrong with %s',
  async (check, env, detail, exitCode) => {
    const { code, of } = await doctor(env);
    expect(of(check)[0]?.detail).toContain(detail);
    expect(code).toBe(exitCode);
  },
  30_000,
);

test('a secret is read from the file that NAME_FILE names, and a missing or empty file is named', async () => {
  const file = join(folder, 'session');
  await writeFile(file, `${'s'.repeat(40)}\n`);
  expect(readConfig({ SESSION_SECRET_FILE: file }).session_secret).toBe('s'.repeat(40));
  expect(() => readConfig({ SESSION_SECRET_FILE: join(folder, 'missing') })).toThrow(
    'SESSION_SECRET_FILE names a file that cannot be read (ENOENT)',
  );
  await writeFile(join(folder, 'empty'), '\n');
  expect(() => readConfig({ DATABASE_URL_FILE: join(folder, 'empty') })).toThrow(
    'DATABASE_URL_FILE names an empty file',
  );
  expect(() => readConfig({ SESSION_SECRET_FILE: file, SESSION_SECRET: 'x' })).toThrow('are both set');
  expect(() => readConfig({ PORT: 'x', PIPELINE: 'on' })).toThrow(/PORT must .*\nPIPELINE must/);
});
