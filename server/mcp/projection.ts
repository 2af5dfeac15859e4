import { z } from 'zod';
import { catalog } from '../data/catalog.ts';
import type { SourcedRoute } from '../data/route.ts';
import type { AnswerObject } from '../http/reply.ts';
import type { Json } from '../openapi/parts.ts';
import { workflows } from '../workflows/catalog.ts';

/**
 * Names of the most important fields. A minimal answer has only these fields, unless the record is small (see
 * {@link smallRecordFields}). With `projection: full` or `fields`, an answer can have other fields too.
 */
const mainFields: ReadonlySet<string> = new Set(
  `id username display_name bio profile_url external_url followers following posts likes total_views verified private
  category region country_code author author_username published_at views comments shares favorites duration_seconds
  caption title description media_type permalink text reply_count parent_comment_id item_count content_id position
  result_type channel_id video_id video_title language generated page_name started_at ended_at bodies
  url status platform account_id metric observed_at value quality retrieved_at credits_charged message`.split(/\s+/),
);
/** Columns that state the quality of the numbers in a row, such as "rounded". */
const qualityColumns: ReadonlySet<string> = new Set(['followers_quality', 'counts_quality']);
const exact = 'exact';
/** Number of fields up to which a record counts as small. A minimal answer has all fields of a small record. */
const smallRecordFields = 9;

/** Maximum characters of each field in {@link prose} in an answer with `projection: minimal`. Longer texts are cut. */
const proseCharacters = 400;
const prose: ReadonlySet<string> = new Set(['bio', 'caption', 'description', 'text', 'title']);

const reportPath = '/v1/workflows/campaign-report';
/** The parts of a campaign report that an answer with `projection: minimal` leaves out. */
const longParts = ['items', 'series'];

/** Returns the fields of a route's record. For a list, returns the fields of one row. */
export function recordShape({ collector }: Pick<SourcedRoute, 'collector'>): z.core.$ZodShape {
  const { record } = collector;
  const row = record instanceof z.ZodArray ? record.element : record;
  return row instanceof z.ZodObject ? row.shape : {};
}

/** Returns the names of the fields in an answer with `projection: minimal`, in the order of the record. */
export function minimalFields(route: Pick<SourcedRoute, 'collector'>): string[] {
  const names = Object.keys(recordShape(route));
  return names.length <= smallRecordFields ? names : names.filter((name) => mainFields.has(name));
}

function isMainColumn(name: string): boolean {
  return mainFields.has(name) || qualityColumns.has(name);
}

/**
 * The fields of an answer with `projection: minimal`, by path of the route. A route without the parameter `fields` is
 * not listed.
 */
const minimal: ReadonlyMap<string, readonly string[]> = new Map([
  ...catalog.flatMap((route) =>
    route.availability === 'planned' ? [] : [[route.path, minimalFields(route)] as const],
  ),
  ...workflows.map(({ path, columns }) => [path, columns.filter(isMainColumn)] as const),
]);

/**
 * Returns the fields of an answer with `projection: minimal`. Returns null when the route with this path has no
 * parameter `fields`.
 */
export function minimalFieldsOf(path: string): readonly string[] | null {
  return minimal.get(path) ?? null;
}

/**
 * Returns a minimal answer. `meta.quality` has only the shown fields. Long texts are cut, and a report has no items and
 * no series. `meta.shortened` lists the paths of the cut or removed parts.
 */
export function shortened(path: string, { data, meta }: AnswerObject): AnswerObject {
  const cut: string[] = [];
  const short = path === reportPath ? withoutLongParts(data, cut) : withShortProse(withoutExactQuality(data), cut);
  const quality = 'quality' in meta ? { quality: shownQuality(meta.quality as Json, path) } : {};
  const minimalMeta = { ...meta, ...quality, projection: 'minimal' };
  return { data: short, meta: cut.length > 0 ? { ...minimalMeta, shortened: cut } : minimalMeta };
}

/** Removes each quality column that has only `exact` and null values. Data that is not a table stays unchanged. */
function withoutExactQuality(data: Json): Json {
  const { columns, rows } = data as { columns?: string[]; rows?: unknown[][] };
  if (!Array.isArray(columns) || !Array.isArray(rows)) return data;
  const isInexact = (index: number) => rows.some((row) => row[index] !== null && row[index] !== exact);
  const shown = columns.flatMap((name, index) => (qualityColumns.has(name) && !isInexact(index) ? [] : [index]));
  return {
    ...data,
    columns: shown.map((index) => columns[index]),
    rows: rows.map((row) => shown.map((index) => row[index])),
  };
}

function withoutLongParts(report: Json, cut: string[]): Json {
  cut.push(...longParts.filter((name) => name in report));
  return Object.fromEntries(Object.entries(report).filter(([name]) => !longParts.includes(name)));
}

/** Cuts the long texts of every record. The text of a transcript is never cut, because it is the requested data. */
function withShortProse(data: Json, cut: string[]): Json {
  const entries = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (Array.isArray(value)) return [name, value.map((row, index) => shortRecord(row, `${name}.${index}`, cut))];
    return [name, name === 'transcript' ? value : shortRecord(value, name, cut)];
  });
  return Object.fromEntries(entries);
}

function shortRecord(record: unknown, path: string, cut: string[]): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
    if (!prose.has(name) || typeof value !== 'string' || value.length <= proseCharacters) return [name, value];
    cut.push(`${path}.${name}`);
    return [name, `${value.slice(0, proseCharacters).replace(/[\ud800-\udbff]$/, '')}…`];
  });
  return Object.fromEntries(entries);
}

function shownQuality(quality: Json, path: string): Json {
  const shown = minimalFieldsOf(path);
  if (!shown) return quality;
  const isShown = (field: string) => shown.includes(field.split('.').find((part) => !/^\d+$/.test(part)) ?? '');
  return Object.fromEntries(Object.entries(quality).filter(([field]) => isShown(field)));
}
