import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { type AnyCollector, type CollectContext, collect } from '../../pipeline/collect/collect.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { validateRecord } from '../../pipeline/collect/validate-record.ts';
import { SourceError } from '../../pipeline/errors.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { createRecordedFetcher, NoRecordingError } from '../../pipeline/network/recorded-fetcher.ts';
import { operatorCollectors } from '../../pipeline/operator-collectors.ts';
import { losslessJson } from '../../pipeline/parse/bounded-json.ts';
import { type RecordedCall, recordedCalls } from '../../scripts/operator/sources/recorded.ts';
import { catalog } from '../../server/data/catalog.ts';
import { type BenchOptions, goalColumns, interleaved, median, pairedRatios, table } from '../benchmark.ts';
import { shortvideoProfilePage, webProfileInfo } from '../invented.ts';
import { embeddedJson } from './embedded-json.ts';

const manifest = join(
  process.env.RECORDED ?? resolve(import.meta.dirname, '../../../shared/recorded'),
  'manifest.json',
);
const defaultRounds = 9;
const callsPerRound = 5;
/**
 * Number of calls before the measurement, multiplied by the number of rounds. The optimizer of V8 needs a few hundred
 * calls.
 */
const warmUpPerRound = 30;
/**
 * Number of bytes below which an answer counts as small. Fixed costs outweigh the parsing of a small answer, so its
 * goal is a time and not a ratio.
 */
const smallBytes = 20_000;
const smallGoalMs = 0.3;
/**
 * Maximum time that a collector may take for a response, as a multiple of the time that JSON.parse takes for its JSON.
 * `wholeGoal` is for collectors that need all of the JSON, `partGoal` for those that need only a part.
 */
const wholeGoal = 2;
const partGoal = 0.25;
const collectorsOfPart: ReadonlySet<string> = new Set(['shortvideoProfile', 'shortvideoVideo']);

/**
 * Placeholder credentials, and quotas above the number of calls. An official source is used only when it has
 * credentials, and the recordings contain official sources too.
 */
const credentials = {
  YOUTUBE_API_KEY: 'bench',
  YOUTUBE_DAILY_UNITS: '1000000',
  YOUTUBE_DAILY_SEARCHES: '1000000',
  INSTAGRAM_GRAPH_TOKEN: 'bench',
  INSTAGRAM_GRAPH_USER_ID: '17841400000000001',
  META_ADLIBRARY_TOKEN: 'bench',
  X_BEARER_TOKEN: 'bench',
};

const collectors = new Map<string, AnyCollector>(
  [...catalog.flatMap(({ collector }) => collector ?? []), ...operatorCollectors].map((one) => [one.name, one]),
);

/** One call of a collector, with the JSON that its answers contain. */
interface Page {
  collector: string;
  json: readonly string[];
  normalize(): Promise<unknown>;
  /** Validates a finished record of this call again. */
  validate(): unknown;
}

/**
 * Measures, for each collector, the time from the bytes of the answers to validated records, as a multiple of
 * JSON.parse of their JSON.
 */
export async function pages({ rounds = defaultRounds, signal, print }: BenchOptions): Promise<void> {
  const rows = [
    [
      ...['collector', 'calls', 'kB of JSON', 'x JSON.parse: median', 'lowest', 'highest'],
      ...['only decoding', 'only exact JSON', 'only validation', 'ms', 'goal', 'reached'],
    ],
  ];
  const measured = Map.groupBy([...(await inventedPages()), ...(await recordedPages())], ({ collector }) => collector);
  for (const [collector, calls] of measured) {
    const results: Measured[] = [];
    for (const call of calls) results.push(await measure(call, rounds, signal));
    const ratios = results.map(({ ratio }) => ratio);
    const ms = median(results.map((result) => result.ms));
    const bytes = median(calls.map(({ json }) => json.reduce((sum, text) => sum + text.length, 0)));
    const limit = collectorsOfPart.has(collector.replace('invented ', '')) ? partGoal : wholeGoal;
    const ends = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    const small = bytes < smallBytes;
    const goal = goalColumns(small ? ms : median(ratios), { at: 'most', ratio: small ? smallGoalMs : limit });
    rows.push([
      ...[collector, String(calls.length), (bytes / 1000).toFixed(0), ...ends],
      ...(['decoding', 'exact', 'valid', 'ms'] as const).map((part) =>
        median(results.map((result) => result[part])).toFixed(2),
      ),
      ...[small ? `${goal[0]} ms` : goal[0], goal[1]],
    ]);
  }
  print(table(rows));
}

interface Measured {
  /** Time of the collector, as a multiple of the time that JSON.parse needs for the same JSON. */
  ratio: number;
  /** Time to decode the bytes of the JSON to text, as a multiple of JSON.parse. */
  decoding: number;
  /**
   * Time to parse the whole JSON with exact large numbers, without decoding it, as a multiple of JSON.parse. A
   * collector that skips the values of unread keys can be faster.
   */
  exact: number;
  /** Time to validate the finished record, as a multiple of JSON.parse. Included in the collector's time. */
  valid: number;
  ms: number;
}

async function measure({ normalize, validate, json }: Page, rounds: number, signal: AbortSignal): Promise<Measured> {
  const parse = async () => json.map((text) => JSON.parse(text));
  const bodies = json.map((text) => Buffer.from(text));
  const decode = async () => bodies.map((body) => body.toString('utf8'));
  const parseExactly = async () => bodies.map((body) => losslessJson(body));
  const works = [normalize, parse, decode, parseExactly, async () => validate()];
  for (let time = 0; time < rounds * warmUpPerRound; time += 1) await Promise.all(works.map((work) => work()));
  const measured = await interleaved<() => Promise<unknown>, number>(works, rounds, signal, timed);
  const [own = [], base = [], decoding = [], decodedExactly = [], valid = []] = works.map(
    (work) => measured.get(work) ?? [],
  );
  const exact = decodedExactly.map((time, round) => time - (decoding[round] ?? 0));
  const multiple = (times: number[]) => median(pairedRatios(times, base));
  return {
    ratio: multiple(own),
    decoding: multiple(decoding),
    exact: multiple(exact),
    valid: multiple(valid),
    ms: median(own) / callsPerRound,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let time = 0; time < callsPerRound; time += 1) await work();
  return performance.now() - started;
}

function contextOf(fetch: Fetcher, env: Record<string, string>): CollectContext {
  const now = () => new Date();
  const signal = new AbortController().signal;
  return { fetch, now, config: readSourcesConfig(env), breakers: createBreakers({ enabled: false }), signal };
}

function inventedPages(): Promise<Page[]> {
  return Promise.all([
    inventedPage('photoPosts', { handle: 'paper.kite', limit: 12, cursor: null }, webProfileInfo(12)),
    inventedPage('shortvideoProfile', { handle: 'paper.kite', region: null }, shortvideoProfilePage()),
  ]);
}

async function inventedPage(name: string, params: object, body: Buffer): Promise<Page> {
  const collector = collectors.get(name) as AnyCollector;
  const context = contextOf(async ({ url }) => ({ status: 200, url, headers: {}, body }), {});
  const normalize = () => collect(collector, params, context);
  const { record, quality } = await normalize();
  return {
    collector: `invented ${name}`,
    json: [embeddedJson(body.toString())],
    normalize,
    validate: () => validateRecord(collector.record, record, quality),
  };
}

/** Returns every recorded call that returns a record. Reads all files first, so that reading is not measured. */
async function recordedPages(): Promise<Page[]> {
  if (!existsSync(manifest)) return [];
  const recorded = createRecordedFetcher(manifest);
  const made = [];
  for (const call of recordedCalls(manifest)) made.push(await recordedPage(call, recorded));
  return made.filter((page) => page !== null);
}

async function recordedPage(
  { collector: name, params, sources }: RecordedCall,
  recorded: Fetcher,
): Promise<Page | null> {
  const collector = collectors.get(name);
  const parsed = collector?.params.safeParse({ limit: 20, cursor: null, region: null, author: null, ...params });
  const input = parsed?.success ? parsed.data : collector?.params.safeParse(params).data;
  if (!collector || input === undefined) return null;
  const own = { ...collector, sources: collector.sources.filter((source) => sources.has(source.name)) };
  const answers = new Map<string, Awaited<ReturnType<Fetcher>>>();
  const context = contextOf(async (request, signal) => {
    const id = `${request.url} ${request.body ?? ''}`;
    const answer = answers.get(id) ?? (await recorded(request, signal));
    answers.set(id, answer);
    return answer;
  }, credentials);
  const normalize = () => collect(own, input, context);
  const collected = await normalize().catch((error: unknown) => {
    if (error instanceof SourceError || error instanceof NoRecordingError) return null;
    throw error;
  });
  const json = [...answers.values()].map(({ body }) => embeddedJson(body.toString())).filter((text) => text !== '');
  if (collected === null || json.length === 0) return null;
  const validate = () => validateRecord(own.record, collected.record, collected.quality);
  return { collector: name, json, normalize, validate };
}
