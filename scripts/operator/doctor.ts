import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Sql } from 'postgres';
import { countFutureTimes } from '../../db/clock/future-times.ts';
import { connectionsOf } from '../../db/connect.ts';
import { isDistributed } from '../../db/distribution/distributed.ts';
import { minuteMs } from '../../db/durations.ts';
import type { Log } from '../../db/log.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { requirePatchedDriver } from '../../db/patched-driver.ts';
import { readQueueStates } from '../../db/queue.ts';
import { readServer } from '../../db/readiness.ts';
import { connectionsWarning } from '../../db/server/connections.ts';
import { StartError } from '../../db/start-error.ts';
import { ConfigError } from '../../pipeline/config.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { readServiceAccount } from '../../pipeline/sheets/client.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { type OfflineCommand, textTable } from './command.ts';
import { isNewDatabase, newDatabase } from './new-database.ts';

type State = 'ok' | 'note' | 'warning' | 'error';

interface Finding {
  check: string;
  state: State;
  detail: string;
}

const minFreeBytes = 1_000_000_000;
const maxSkewMs = 5_000;
/** Maximum time since the last finished job while a process runs the jobs, in ms. */
const maxIdleMs = 10 * minuteMs;
const mailTimeoutMs = 5_000;

export const doctor: OfflineCommand = {
  name: 'doctor',
  usage: '',
  does: 'checks the settings, the database, the pipeline, mail, spreadsheets, disk and security; exit code 1 on an error',
  args: [],
  options: [],
  async runOffline({ env, log }) {
    const findings = await diagnose(env, log);
    const failed = findings.some(({ state }) => state === 'error');
    return { json: findings, text: textTable(findings), exit_code: failed ? 1 : 0 };
  },
};

/** Returns the findings about an installation. Checks the settings first, because the other checks need them. */
async function diagnose(env: NodeJS.ProcessEnv, log: Log): Promise<Finding[]> {
  const program = programFindings();
  try {
    const config = readConfig(env);
    const parts = [databaseFindings(config, log), mailFindings(config), sheetsFindings(config), diskFindings(config)];
    const found = (await Promise.all(parts)).flat();
    return [
      ...program,
      { check: 'settings', state: 'ok', detail: 'valid' },
      ...addressFindings(config),
      ...found,
      ...secretFindings(config, env),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = error.message.split('\n').map((detail): Finding => ({ check: 'settings', state: 'error', detail }));
    return [...program, ...wrong];
  }
}

function programFindings(): Finding[] {
  const node: Finding = { check: 'Node', state: 'ok', detail: process.version };
  try {
    requirePatchedDriver();
    return [node, { check: 'database driver', state: 'ok', detail: 'patched' }];
  } catch (error) {
    return [node, { check: 'database driver', state: 'error', detail: (error as Error).message }];
  }
}

function addressFindings({ base_url, host, trust_proxy }: Config): Finding[] {
  const { protocol, hostname } = new URL(base_url);
  const isLocal = /^(?:localhost|127\.|\[::1\]$)/.test(hostname);
  const address: Finding =
    protocol === 'https:'
      ? { check: 'BASE_URL', state: 'ok', detail: base_url }
      : isLocal
        ? { check: 'BASE_URL', state: 'note', detail: `${base_url}: only this machine can open it` }
        : {
            check: 'BASE_URL',
            state: 'error',
            detail: `${base_url}: passwords and keys travel unencrypted. Use https`,
          };
  const behindProxy = protocol === 'https:' && trust_proxy === 0;
  return [
    address,
    ...(behindProxy
      ? [
          finding(
            'TRUST_PROXY',
            'warning',
            '0 behind a proxy: sign-in limits count all users as one machine. Set the number of proxies',
          ),
        ]
      : []),
    ...(host === '0.0.0.0' && protocol === 'http:'
      ? [finding('HOST', 'warning', '0.0.0.0 without https: other machines can read the traffic')]
      : []),
  ];
}

async function databaseFindings(config: Config, log: Log): Promise<Finding[]> {
  const created = (await isNewDatabase(config)) ? [finding('database', 'warning', newDatabase(config))] : [];
  try {
    const db = await openDatabase({ ...config, role: 'operator' }, log);
    try {
      const { version, bytes, clock } = await readServer(db.sql);
      const pending = await pendingMigrations(db.sql);
      const kind = config.database_url === null ? `built in, in ${resolve(config.data_dir)}` : 'own server';
      return [
        ...created,
        finding('database', 'ok', `PostgreSQL ${version}, ${kind}, ${Math.round(bytes / 1e6)} MB`),
        pending.length === 0
          ? finding('migrations', 'ok', 'all applied')
          : finding('migrations', 'note', `${pending.length} are applied at the next start: ${pending.join(', ')}`),
        ...clockFindings(clock, pending.length === 0 ? await countFutureTimes(db.sql, new Date()) : {}),
        ...(await connectionFindings(config, db.sql)),
        await pipelineFinding(config, db.sql, clock),
      ];
    } finally {
      await db.close();
    }
  } catch (error) {
    const detail = error instanceof StartError ? error.message : 'The database cannot be used.';
    return [finding('database', 'error', detail)];
  }
}

/** Returns the findings about the clock of the database, and about stored times in the future, by table. */
function clockFindings(clock: Date, future: Record<string, number>): Finding[] {
  const seconds = Math.round(Math.abs(clock.getTime() - Date.now()) / 1000);
  const differs = `differs from the database by ${seconds} s: correct the wrong clock`;
  const waiting = `times are in the future in ${Object.keys(future).join(', ')}: see \`clock show\``;
  return [
    ...(seconds * 1000 > maxSkewMs ? [finding('clock', 'warning', differs)] : []),
    ...(Object.keys(future).length > 0 ? [finding('clock', 'warning', waiting)] : []),
  ];
}

/** Returns a warning when the server of DATABASE_URL accepts too few connections for a process. */
async function connectionFindings({ database_url: url }: Config, sql: Sql): Promise<Finding[]> {
  const needed = connectionsOf(isDistributed(sql));
  const warning = url === null ? null : await connectionsWarning(sql, needed, { is_starting: false });
  return warning === null ? [] : [finding('connections', 'warning', warning)];
}

/**
 * Returns whether a process runs the background jobs. Several jobs run every minute, so when none finished in
 * {@link maxIdleMs}, no process runs them or all of them fail.
 */
async function pipelineFinding({ pipeline }: Config, sql: Sql, clock: Date): Promise<Finding> {
  const states = await readQueueStates(
    sql,
    listJobs().map(({ name }) => name),
  );
  const finished = Math.max(0, ...states.map(({ finished_at }) => finished_at?.getTime() ?? 0));
  const idleMs = clock.getTime() - finished;
  if (idleMs <= maxIdleMs) return finding('pipeline', 'ok', `a job finished ${Math.round(idleMs / 1000)} s ago`);
  const last = finished === 0 ? 'in the last 24 hours' : `since ${new Date(finished).toISOString()}`;
  const start = pipeline === 'off' ? 'start `npm run pipeline`' : 'start the server';
  const detail = `no job has finished ${last}: ${start}, or look for errors in its log when it runs`;
  return finding('pipeline', pipeline === 'off' ? 'warning' : 'note', detail);
}

async function mailFindings({ smtp_url: url }: Config): Promise<Finding[]> {
  if (url === null) return [finding('mail', 'note', 'SMTP_URL is not set: mails are written to the log')];
  const limits = { connectionTimeout: mailTimeoutMs, greetingTimeout: mailTimeoutMs, socketTimeout: mailTimeoutMs };
  const transport = createTransport({ url, ...limits });
  try {
    await transport.verify();
    return [finding('mail', 'ok', `${new URL(url).host} accepts mails`)];
  } catch (error) {
    const { code = 'unknown error' } = error as { code?: string };
    return [
      finding('mail', 'error', `The mail server of SMTP_URL does not work (${code}): check host, port and password.`),
    ];
  } finally {
    transport.close();
  }
}

async function sheetsFindings({ google_service_account: path }: Config): Promise<Finding[]> {
  if (path === null) return [finding('Google Sheets', 'note', 'GOOGLE_SERVICE_ACCOUNT is not set: no pushes')];
  try {
    return [finding('Google Sheets', 'ok', readServiceAccount(path).client_email)];
  } catch (error) {
    return [finding('Google Sheets', 'error', (error as Error).message)];
  }
}

async function diskFindings({ data_dir, database_url }: Config): Promise<Finding[]> {
  if (database_url !== null) return [];
  const { bavail, bsize } = await statfs(data_dir).catch(() => statfs('.'));
  const free = bavail * bsize;
  const detail = `${Math.round(free / 1e9)} GB free for ${resolve(data_dir)}`;
  return [finding('disk', free < minFreeBytes ? 'warning' : 'ok', detail)];
}

function secretFindings(
  { payments, metrics_token, security_contact, recordings }: Config,
  env: NodeJS.ProcessEnv,
): Finding[] {
  const open = ['SESSION_SECRET', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'DATABASE_URL'].filter((name) => env[name]);
  return [
    payments
      ? finding(
          'payments',
          /^sk_live_/.test(payments.secret_key) ? 'ok' : 'note',
          /^sk_live_/.test(payments.secret_key) ? 'Stripe' : 'Stripe in test mode',
        )
      : finding('payments', 'note', 'off: add credits with `credits grant`'),
    metrics_token === null
      ? finding('metrics', 'note', 'METRICS_TOKEN is not set: /metrics is off')
      : finding('metrics', 'ok', 'on'),
    ...(security_contact === null ? [finding('security contact', 'note', 'SECURITY_CONTACT is not set')] : []),
    ...(recordings ? [finding('sources', 'warning', 'UPSTREAM_REPLAY is set: all answers are recordings')] : []),
    ...(open.length > 0
      ? [finding('secrets', 'note', `in the environment: ${open.join(', ')}. NAME_FILE reads them from files`)]
      : []),
  ];
}

const finding = (check: string, state: State, detail: string): Finding => ({ check, state, detail });
