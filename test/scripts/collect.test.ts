import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operatorCollectors } from '../../pipeline/operator-collectors.ts';
import { readCall, UsageError } from '../../scripts/operator/command.ts';
import { collectCommand, collectRecorded } from '../../scripts/operator/sources/collect.ts';
import { coverageOf, coverageText, summaryOf } from '../../scripts/operator/sources/coverage.ts';
import { recordedCalls } from '../../scripts/operator/sources/recorded.ts';
import { readConfig } from '../../server/config.ts';
import { catalog } from '../../server/data/catalog.ts';
import { describeRecorded, recordedManifest } from '../recorded.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tidemark-collect-'));
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const commands = [collectRecorded, collectCommand];
const credentials = {
  YOUTUBE_API_KEY: 'k',
  INSTAGRAM_GRAPH_TOKEN: 't',
  INSTAGRAM_GRAPH_USER_ID: '1',
  META_ADLIBRARY_TOKEN: 't',
  X_BEARER_TOKEN: 't',
};

/** Runs an operator command in this process. */
function operator(line: string, env: Record<string, string>) {
  const call = readCall(commands, line.split(' '));
  return call.command.run({ ...call, db, config: readConfig(env), now: () => new Date('2026-11-20T10:00:00.000Z') });
}

async function allRecorded(manifest: string, env: Record<string, string> = {}) {
  const { json, text, exit_code } = await operator('collect --all-recorded', { ...env, UPSTREAM_REPLAY: manifest });
  const rows = json as Record<'collector' | 'outcome' | 'source' | 'fields', string | null>[];
  return { rows, text, exit_code };
}

describe('the field coverage that the command collect prints', () => {
  const number = z.number().nullable();
  const schema = z.strictObject({ id: z.string(), likes: number, shares: number, views: number, posts: number });

  test('the field coverage shows for each field of a record whether it has a value, or why it has no value', () => {
    const record = { id: '1', likes: null, shares: null, views: 1200, posts: null };
    const coverage = coverageOf(schema, record, { likes: 'hidden', shares: 'not_exposed', views: 'rounded' });
    expect(coverage.fields.map(({ field, state }) => [field, state])).toEqual([
      ['id', 'given'],
      ['likes', 'hidden'],
      ['shares', 'not_exposed'],
      ['views', 'rounded'],
      ['posts', 'null'],
    ]);
    expect(summaryOf(coverage)).toBe('2 of 5 given');
    expect(coverageText(coverage)).toMatch(/\n\n2 of 5 given$/);
  });

  test('the field coverage counts all rows of a list', () => {
    const rows = [
      { id: '1', likes: 3, shares: null, views: 10, posts: null },
      { id: '2', likes: null, shares: null, views: 1200, posts: null },
    ];
    const quality = { '1.likes': 'hidden', '0.shares': 'not_exposed', '1.shares': 'not_exposed', '1.views': 'rounded' };
    const coverage = coverageOf(z.array(schema), rows, quality as Record<string, 'hidden'>);
    expect(coverage.fields).toEqual([
      { field: 'id', state: 'given', given: 2 },
      { field: 'likes', state: 'given', given: 1 },
      { field: 'shares', state: 'not_exposed', given: 0 },
      { field: 'views', state: 'rounded', given: 2 },
      { field: 'posts', state: 'null', given: 0 },
    ]);
    expect(summaryOf(coverage)).toBe('3 of 5 given, in 2 rows');
    expect(coverageText(coverage)).toMatch(/likes +given +1 of 2 rows/);
  });

  test('the field coverage has the fields of a list without rows', () => {
    expect(summaryOf(coverageOf(z.array(schema), [], {}))).toBe('0 of 5 given, in 0 rows');
  });

  test('the field coverage counts 0, false and an empty list as values', () => {
    const shape = z.strictObject({ count: number, flag: z.boolean(), list: z.array(z.string()) });
    expect(summaryOf(coverageOf(shape, { count: 0, flag: false, list: [] }, {}))).toBe('3 of 3 given');
  });
});

/**
 * Writes a manifest of invented recordings. An exchange whose `example` is a different request has no recording for
 * that request.
 */
async function manifest(name: string, exchanges: object[]): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ exchanges }));
  return file;
}
const profileUrl = 'https://www.instagram.com/api/v1/users/web_profile_info/';
const user = { id: '9007199254740993', username: 'invented.one', edge_followed_by: { count: 7 } };
const profileExchange = (handle: string, answered: string, more: object) => ({
  method: 'GET',
  url: profileUrl,
  match: 'prefix',
  query: { username: answered },
  status: 200,
  headers: { 'content-type': 'application/json' },
  example: { url: `${profileUrl}?username=${handle}` },
  ...more,
});

describe('collect --all-recorded', () => {
  test('collect --all-recorded refuses to run without UPSTREAM_REPLAY', async () => {
    await expect(operator('collect --all-recorded', {})).rejects.toThrow(UsageError);
    await expect(operator('collect --all-recorded', {})).rejects.toThrow('UPSTREAM_REPLAY');
  });

  test('collect --all-recorded prints a row for each call and does not fail for error answers', async () => {
    const file = await manifest('refusals', [
      profileExchange('invented.one', 'invented.one', { text: JSON.stringify({ data: { user } }) }),
      profileExchange('invented.gone', 'invented.gone', { status: 404 }),
    ]);
    const { rows, text, exit_code } = await allRecorded(file);
    expect(rows.filter(({ collector }) => collector === 'photoProfile')).toEqual([
      {
        collector: 'photoProfile',
        identifier: 'handle=invented.one',
        outcome: 'OK',
        source: 'instagram-web',
        fields: expect.stringMatching(/^\d+ of 17 given$/),
        partial: expect.any(Boolean),
        message: null,
      },
      expect.objectContaining({ identifier: 'handle=invented.gone', outcome: 'RESOURCE_NOT_FOUND', source: null }),
    ]);
    expect(text).toMatch(/^collector +identifier +outcome +source +fields +partial\n/);
    expect(exit_code).toBe(0);
  });

  test('collect --all-recorded fails with INTERNAL when a request has no recording', async () => {
    const file = await manifest('missing', [profileExchange('invented.one', 'someone.else', { text: '{}' })]);
    const { rows, text, exit_code } = await allRecorded(file);
    expect(rows.find(({ collector }) => collector === 'photoProfile')?.outcome).toBe('INTERNAL');
    expect(text).toContain('no recorded answer matches GET');
    expect(exit_code).toBe(1);
  });

  test('collect --all-recorded runs each call independently, so that an exceeded quota does not affect the next call', async () => {
    const videos = 'https://www.googleapis.com/youtube/v3/videos';
    const video = (id: string, status: number, answer: object) => ({
      method: 'GET',
      url: '/youtube/v3/videos\\?',
      match: 'pattern',
      query: { id },
      status,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(answer),
      example: { url: `${videos}?part=snippet&id=${id}` },
    });
    const spent = {
      error: { code: 403, message: 'invented', errors: [{ reason: 'quotaExceeded', message: 'invented' }] },
    };
    const file = await manifest('quota', [
      video('invented001', 403, spent),
      video('invented002', 200, { kind: 'youtube#videoListResponse', items: [] }),
    ]);
    const { rows } = await allRecorded(file, { YOUTUBE_API_KEY: 'k', KEYLESS_SOURCES: 'off' });
    const outcomes = rows.filter(({ collector }) => collector === 'longvideoVideo').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['SOURCE_CAPACITY', 'RESOURCE_NOT_FOUND']);
  });

  test('collect --all-recorded reports a collector without recordings', async () => {
    const { rows } = await allRecorded(await manifest('empty', []));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['NOT_RECORDED']));
    expect(rows.map(({ collector }) => collector)).toContain('shortvideoHashtagVideos');
  });
});

describe('the calls that recorded answers can serve', () => {
  const example = (url: string, more: object = {}) => ({ example: { url }, ...more });

  test('the calls that recorded answers can serve are listed once each, with every recorded source', async () => {
    const file = await manifest('sources', [
      example('https://www.tiktok.com/@_/video/7000000000000000001'),
      example('https://www.tiktok.com/embed/v2/7000000000000000001'),
    ]);
    const sources = new Set(['tiktok-web', 'tiktok-embed']);
    expect(recordedCalls(file)).toEqual([
      { collector: 'shortvideoVideo', params: { id: '7000000000000000001' }, sources },
    ]);
  });

  test('the calls that recorded answers can serve do not include calls that were recorded only in part', async () => {
    const lookup = (name: string, id: string) =>
      example(`https://api.x.com/2/users/by/username/${name}?x=1`, { text: `{"data":{"id": "${id}"}}` });
    const posts = example('https://api.x.com/2/users/11/tweets?x=1');
    const calls = recordedCalls(await manifest('part', [lookup('whole', '11'), lookup('part', '12'), posts]));
    expect(calls.map(({ collector, params }) => [collector, params.handle])).toEqual([
      ['microblogProfile', 'whole'],
      ['microblogUserPosts', 'whole'],
      ['microblogProfile', 'part'],
    ]);
  });
});

describeRecorded('collect with the recordings', () => {
  const env = { UPSTREAM_REPLAY: recordedManifest };
  const names = [...catalog.flatMap(({ collector }) => collector ?? []), ...operatorCollectors]
    .filter(({ sources }) => sources.length > 0)
    .map(({ name }) => name);

  test.each([
    ['the keyless sources', {}, 50],
    ['the keyless and the official sources', credentials, 90],
  ])('every collector finds all its recordings, with %s', async (_, configured, least) => {
    const { rows, exit_code } = await allRecorded(recordedManifest, configured);
    expect(rows.filter(({ outcome }) => outcome === 'INTERNAL')).toEqual([]);
    expect(exit_code).toBe(0);
    expect(new Set(rows.map(({ collector }) => collector))).toEqual(new Set(names));
    const answered = rows.filter(({ outcome }) => outcome === 'OK');
    expect(answered.length).toBeGreaterThan(least);
    for (const { source, fields } of answered)
      expect([source, fields]).toEqual([expect.any(String), expect.any(String)]);
  });

  test('collect prints record, source and field coverage', async () => {
    const { json, text, exit_code } = await operator('collect photoProfile handle=megadeth', env);
    const { record, source, coverage } = json as { record: object; source: string; coverage: { given: number } };
    const given = Object.values(record).filter((value) => value !== null).length;
    expect([source, coverage.given, exit_code ?? 0]).toEqual(['instagram-web', given, 0]);
    expect(text).toContain('"source": "instagram-web"');
    expect(text.endsWith(`${given} of ${Object.keys(record).length} given`)).toBe(true);
  });

  test('collect counts all rows of a list in the field coverage', async () => {
    const { json, text } = await operator('collect photoPosts handle=maynel_baby_shop limit=5', env);
    const { record } = json as { record: Record<string, unknown>[] };
    expect(record).toHaveLength(5);
    const captions = record.filter(({ caption }) => caption !== null).length;
    expect(text).toMatch(new RegExp(`caption +given +${captions} of 5 rows`));
    expect(text).toMatch(/ given, in 5 rows$/);
  });

  test('collect prints an error answer with its reason and fails', async () => {
    const { text, exit_code } = await operator('collect photoProfile handle=replay.nobody', env);
    expect(text).toMatch(/^RESOURCE_NOT_FOUND: /);
    expect(exit_code).toBe(1);
  });

  test('collect runs from the command line with --json', async () => {
    const processEnv = { PATH: process.env.PATH, ...env, DATABASE_URL: db.database_url };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['scripts/operator.ts', 'collect', '--all-recorded', '--json'],
      { cwd: resolve(import.meta.dirname, '../..'), env: processEnv, maxBuffer: 16 * 1024 * 1024 },
    );
    expect(JSON.parse(stdout).length).toBeGreaterThan(names.length);
  });
});

test('a wrong call of collect prints the usage', async () => {
  await expect(operator('collect photoProfil handle=x', {})).rejects.toThrow('did you mean photoProfile?');
  await expect(operator('collect photoProfile megadeth', {})).rejects.toThrow('name=value');
  await expect(operator('collect photoPosts handle=x limit=many', {})).rejects.toThrow('limit');
});
