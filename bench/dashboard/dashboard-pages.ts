import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { createOwnedWorkspace } from '../../db/accounts/members.ts';
import { connectClients, type Database, parseDatabaseUrl } from '../../db/connect.ts';
import { dayMs } from '../../db/durations.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { ensureMonths } from '../../db/observations/months.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createCampaign } from '../../pipeline/campaigns/campaigns.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { openMediaAddresses } from '../../pipeline/media/addresses.ts';
import { createDashboard } from '../../server/dashboard/dashboard.ts';
import { type BenchOptions, median, table } from '../benchmark.ts';
import { startBenchServer } from '../database.ts';
import { vacuumObservations } from '../reports/report-pages.ts';
import { insertObservations, insertTrackedItems } from '../tracked-data.ts';
import {
  analyze,
  type FilledTables,
  freezeLastWeek,
  insertAttempts,
  insertCheck,
  insertUsage,
} from './dashboard-data.ts';

const items = 200;
const days = 365;
const monthMs = 28 * dayMs;
const defaultRounds = 9;
const goalMs = 50;
const goalKb = 150;
const baseUrl = 'http://bench.example';
const email = 'bench@example.com';

/** Measures the server time of each dashboard page for a workspace with 200 items and a year of observations. */
export async function dashboardPages({ rounds = defaultRounds, signal, print }: BenchOptions): Promise<void> {
  const server = await startBenchServer();
  const db = connectClients(parseDatabaseUrl(await server.createDatabase('dashboard')), 'bench');
  try {
    await migrate(db.sql);
    const filled = await fillTables(db);
    const { item_id, campaign_id } = filled;
    const reportId = await freezeLastWeek(db.sql, filled, new Date());
    const getPage = await openDashboard(db);
    const report = `/dashboard/campaigns/${campaign_id}/reports`;
    const paths: readonly (string | MeasuredPage)[] = [
      '/dashboard',
      '/dashboard/keys',
      '/dashboard/credits',
      '/dashboard/usage',
      '/dashboard/playground',
      ...trackingPages,
      `/dashboard/tracking/${item_id}?days=365`,
      '/dashboard/tracking/lists',
      '/dashboard/campaigns',
      `/dashboard/campaigns/${campaign_id}`,
      `${report}/running`,
      { path: `${report}/running`, note: ', after a check', before: () => insertCheck(db.sql, filled, new Date()) },
      `${report}/${reportId}`,
      `${report}/${reportId}/print`,
      ...otherPages,
    ];
    const rows = [['page', 'ms (median)', `<= ${goalMs}`, 'kB', 'kB compressed', `<= ${goalKb}`]];
    for (const page of paths) {
      signal.throwIfAborted();
      rows.push(await measured(typeof page === 'string' ? { path: page } : page, getPage, rounds));
    }
    print(table(rows));
  } finally {
    await db.close();
    await server.stop();
  }
}

type GetPage = (path: string) => Promise<Response>;

interface MeasuredPage {
  path: string;
  /** Text that the printed table shows after the path. */
  note?: string;
  /** Runs before each request and is not measured. */
  before?(): Promise<void>;
}

const trackingPages = [
  '',
  '?page=4',
  '?q=b',
  '?platform=photo&sort=name',
  '?state=failing',
  '?sort=-week',
  '?sort=-newest',
].map((query) => `/dashboard/tracking${query}`);
const otherPages = ['batches', 'links', 'imports', 'alerts', 'people', 'settings'].map((name) => `/dashboard/${name}`);

async function measured({ path, note = '', before }: MeasuredPage, getPage: GetPage, rounds: number) {
  const times: number[] = [];
  let body = '';
  for (let round = 0; round <= rounds; round += 1) {
    await before?.();
    const started = performance.now();
    const answer = await getPage(path);
    body = await answer.text();
    // The first request is not counted, because it also loads code and plans statements.
    if (round > 0) times.push(performance.now() - started);
    if (answer.status !== 200)
      throw new Error(`The page ${path} answered with status ${answer.status} instead of 200: ${body.slice(0, 200)}`);
  }
  const [ms, kb, packed] = [median(times), body.length / 1024, gzipSync(body).length / 1024];
  const yes = (reached: boolean) => (reached ? 'yes' : 'no');
  const name = path.replaceAll(/[0-9a-f-]{36}/g, ':id') + note;
  return [name, ms.toFixed(1), yes(ms <= goalMs), kb.toFixed(0), packed.toFixed(0), yes(packed <= goalKb)];
}

async function fillTables(db: Database): Promise<FilledTables> {
  const now = new Date();
  const workspace = { name: 'bench', email, tier: 'ultra', credits: 1_000_000 } as const;
  const { workspace_id: workspaceId } = await inTransaction(db.sql, (tx) =>
    createOwnedWorkspace(tx, workspace, { name: 'Bench', email }, now),
  );
  const moments = Array.from({ length: days }, (_, index) => new Date(now.getTime() - (days - index) * dayMs + 60_000));
  for (const at of [...moments.filter((_, index) => index % 28 === 0), new Date(now.getTime() + monthMs)])
    await ensureMonths(db.sql, at);
  const itemIds = Array.from({ length: items }, () => newId());
  await insertTrackedItems(db.sql, workspaceId, itemIds);
  await insertObservations(db.sql, workspaceId, itemIds, moments);
  await insertAttempts(db.sql, workspaceId, moments);
  await insertUsage(db.sql, workspaceId, [newId(), newId(), newId()], moments);
  await vacuumObservations(db.sql);
  await analyze(db.sql);
  const startsOn = moments[0]?.toISOString().slice(0, 10) ?? '';
  const owner = { workspace_id: workspaceId, tier: 'ultra' as const, now };
  const campaignId = await createCampaign(db.sql, owner, {
    name: 'year',
    starts_on: startsOn,
    ends_on: null,
    item_ids: itemIds,
  });
  return { workspace_id: workspaceId, item_id: itemIds[0] ?? '', campaign_id: campaignId };
}

/** Returns a function that requests pages of the dashboard as a signed-in user, without a network connection. */
async function openDashboard(db: Database): Promise<GetPage> {
  const now = () => new Date();
  const sources = {
    fetch: () => Promise.reject(new Error('The benchmark has no network.')),
    config: readSourcesConfig({}),
    now,
    breakers: createBreakers({ now, enabled: false }),
  };
  const dashboard = createDashboard({
    db,
    now,
    base_url: baseUrl,
    sources,
    queue: { send: async () => undefined },
    config: { session_secret: 'a secret of the benchmark alone', mails: false, sheets_account: null },
    payments: null,
    mail: async () => undefined,
    media: await openMediaAddresses(db.sql),
    starter_credits: 0,
    client_address: () => '',
    log: () => undefined,
    on_error: (error) => console.error(error),
  });
  const app = new Hono();
  dashboard.mount(app, () =>
    Promise.reject(new Error('This benchmark measures only pages. A page called a data route.')),
  );
  const link = new URL(await dashboard.accounts.signInLink(email));
  const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
  const signedIn = await app.request(link.origin + link.pathname, {
    method: 'POST',
    body,
    headers: { origin: baseUrl },
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return async (path) => app.request(`${baseUrl}${path}`, { headers: { cookie } });
}
