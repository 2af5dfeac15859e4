import type { Sql } from 'postgres';
import { connectClients, parseDatabaseUrl } from '../db/connect.ts';
import { type BenchOptions, table } from './benchmark.ts';
import { startBenchServer } from './database.ts';

const workspaces = 8;
const itemsEach = 200;
const days = 60;
const rows = workspaces * itemsEach * days;

interface Layout {
  label: string;
  /** SQL that creates the table `stored` and its indexes. */
  create: string;
  /**
   * SQL that fills the table `stored` from the table `made`. With `byDay`, it inserts the observations of one day, else
   * those of all days.
   */
  fill: string;
  byDay: boolean;
  /** SQL that reads all observations of the workspace with number 4 from `stored`, as a report does. */
  report: string;
}

const metrics = 'followers, following, posts, views, likes, comments, shares, favorites, total_views';
const columns = metrics.replaceAll(',', ' bigint,');
const values = `${columns} bigint, quality int not null`;
const owner = `md5('w4')::uuid`;
const reportRows = `select item_id, date_trunc('week', observed_at) as week, max(followers), max(likes), max(total_views), max(quality)
  from stored where workspace_id = ${owner} group by 1, 2`;
const reportShort = `select item, day / 7 as week, max(followers), max(likes), max(total_views), max(quality)
  from stored where item between 601 and 800 group by 1, 2`;
const wide = `create table stored (workspace_id uuid, item_id uuid, observed_at timestamptz, ${values}, source text not null);`;
const fillWide = `insert into stored select workspace_id, item_id, observed_at, ${metrics}, quality, source from made where day = $1 order by n`;
const short = `create table stored (item int, day int, second int, source smallint, ${values});`;
const fillShort = `insert into stored select n, day, 3600, 1, ${metrics}, quality from made where day = $1 order by n`;

const layouts: readonly Layout[] = [
  {
    label: 'recent months today: an index that contains all columns',
    create: `${wide} create unique index on stored (workspace_id, item_id, observed_at) include (${metrics}, quality, source)`,
    fill: fillWide,
    byDay: true,
    report: reportRows,
  },
  {
    label: 'an index of the key only',
    create: `${wide} create unique index on stored (workspace_id, item_id, observed_at)`,
    fill: fillWide,
    byDay: true,
    report: reportRows,
  },
  {
    label: 'numbers instead of ids and source names, an index that contains all columns',
    create: `${short} create unique index on stored (item, day) include (second, source, ${metrics}, quality)`,
    fill: fillShort,
    byDay: true,
    report: reportShort,
  },
  {
    label: 'the same with an index of the key only',
    create: `${short} create unique index on stored (item, day)`,
    fill: fillShort,
    byDay: true,
    report: reportShort,
  },
  {
    label: 'older months today: one row with arrays for each item and month',
    create: `create table stored (workspace_id uuid, item_id uuid, month date, observed_at timestamptz[],
      ${columns.replaceAll(' bigint', ' bigint[]')} bigint[], quality int[], source text[]);
      create unique index on stored (workspace_id, item_id, month); create index on stored (month)`,
    fill: `insert into stored select workspace_id, item_id, date_trunc('month', observed_at)::date, array_agg(observed_at order by observed_at),
      ${metrics
        .split(', ')
        .map((name) => `case when count(${name}) > 0 then array_agg(${name} order by observed_at) end`)
        .join(', ')}, array_agg(quality order by observed_at), array_agg(source order by observed_at)
      from made group by 1, 2, 3`,
    byDay: false,
    report: `select item_id, date_trunc('week', seen) as week, max(f), max(l), max(t), max(q) from stored,
      unnest(observed_at, followers, likes, total_views, quality) as o (seen, f, l, t, q)
      where workspace_id = ${owner} group by 1, 2`,
  },
];

/**
 * Compares several ways to store the same observations: the bytes of an observation, and the pages that a report reads.
 */
export async function observations({ signal, print }: BenchOptions): Promise<void> {
  await using server = await startBenchServer();
  const { sql, close } = connectClients(parseDatabaseUrl(await server.createDatabase('observations')), 'bench');
  try {
    await makeObservations(sql);
    const heading = ['', 'bytes each', 'of that indexes', 'pages of a report'];
    const measured: string[][] = [];
    for (const layout of layouts) {
      signal.throwIfAborted();
      measured.push(await measure(sql, layout));
    }
    print(`${rows} observations of ${workspaces * itemsEach} items, inserted day by day`);
    print(table([heading, ...measured]));
  } finally {
    await close();
  }
}

/**
 * Fills the table `made` with the observations of profiles, one for each item and day. The metrics that profiles do not
 * have, such as views and comments, are null.
 */
async function makeObservations(sql: Sql): Promise<void> {
  const of = (from: number, growth: number) => `(${from} + n * 37 + day * ${growth} + (n * day) % 17)::bigint`;
  await sql.unsafe(`
    create unlogged table made as
    select w, n, day, md5('w' || w)::uuid as workspace_id, md5('i' || n)::uuid as item_id,
      timestamptz '2026-08-01 01:00:00Z' + make_interval(days => day, secs => n % 3600) as observed_at,
      ${of(10_000, 25)} as followers, ${of(100, 1)} as following, ${of(50, 2)} as posts, null::bigint as views, ${of(90_000, 300)} as likes,
      null::bigint as comments, null::bigint as shares, null::bigint as favorites, ${of(2_000_000, 9_000)} as total_views,
      0 as quality, 'instagram-web' as source
    from generate_series(1, ${workspaces}) w, generate_series((w - 1) * ${itemsEach} + 1, w * ${itemsEach}) n, generate_series(0, ${days - 1}) day`);
  await sql.unsafe('create index on made (day, n); analyze made');
}

async function measure(sql: Sql, { label, create, fill, byDay, report }: Layout): Promise<string[]> {
  await sql.unsafe(`drop table if exists stored; ${create}`);
  for (let day = 0; day < (byDay ? days : 1); day += 1) await sql.unsafe(fill, byDay ? [day] : []);
  await sql.unsafe('vacuum (analyze) stored');
  const [size] = await sql<{ all: number; indexes: number }[]>`
    select pg_total_relation_size('stored')::float8 as all, pg_indexes_size('stored')::float8 as indexes`;
  const [explained] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
    `explain (analyze, buffers, format json) ${report}`,
  );
  const plan = explained?.['QUERY PLAN'][0].Plan ?? {};
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  const each = (bytes = 0) => (bytes / rows).toFixed(0);
  return [label, each(size?.all), each(size?.indexes), String(pages)];
}
