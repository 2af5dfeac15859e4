import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CollectContext, collect } from '../../pipeline/collect/collect.ts';
import { createSources } from '../../pipeline/create-sources.ts';
import { SourceError } from '../../pipeline/errors.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { createRecordedFetcher } from '../../pipeline/network/recorded-fetcher.ts';
import { collectorNamed } from '../../scripts/operator/sources/collectors.ts';
import { type RecordedCall, recordedCalls } from '../../scripts/operator/sources/recorded.ts';
import { runRecord } from '../../scripts/recording/command.ts';
import { openRecordingFolder } from '../../scripts/recording/folder.ts';
import { createRecorder } from '../../scripts/recording/recorder.ts';
import { readConfig } from '../../server/config.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { run } from '../harness/service-process.ts';
import { describeRecorded, recordedManifest } from '../recorded.ts';

let folder: string;
let invented: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-record-'));
  invented = await writeInventedManifest(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `npm run record` in this process, because starting a program takes many times longer. */
async function record(words: string, env: Record<string, string>) {
  const printed = { stdout: '', stderr: '' };
  const code = await runRecord(words.split(' '), {
    env,
    print: (text) => {
      printed.stdout += `${text}\n`;
    },
    printError: (text) => {
      printed.stderr += `${text}\n`;
    },
  });
  return { code, ...printed };
}

function recordProgram(words: string, env: Record<string, string>) {
  return run(process.execPath, ['scripts/record.ts', ...words.split(' ')], env).ended;
}

/** Runs a collector on recorded answers, and returns the record. */
async function fromRecording(manifest: string, name: string, values: object, env: Record<string, string> = {}) {
  const collector = collectorNamed(name);
  const context = createSources(readConfig({ ...env, UPSTREAM_REPLAY: manifest }), () => new Date());
  const signal = new AbortController().signal;
  const { record } = await collect(collector, collector.params.parse(values) as never, { ...context, signal });
  return JSON.parse(JSON.stringify(record)) as unknown;
}

async function everythingIn(path: string): Promise<string> {
  const names = (await readdir(path)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return names.map((name, index) => `${name}\n${texts[index]}`).join('\n');
}

async function entriesIn(path: string): Promise<Record<string, unknown>[]> {
  return JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')).exchanges;
}

const secrets = {
  configured: 'invented/token+of=the-operator',
  paging: 'EAAInventedPagingToken',
  escaped: 'EAAInventedEscaped',
  cookie: 'invented-cookie',
  csrf: 'invented-csrf',
  visitor: 'invented-visitor',
};
const graph = {
  KEYLESS_SOURCES: 'off',
  INSTAGRAM_GRAPH_TOKEN: secrets.configured,
  INSTAGRAM_GRAPH_USER_ID: '17840000000000001',
};

/**
 * Writes a manifest with one account of the Graph API whose answer contains many credentials. Returns the manifest's
 * path.
 */
async function graphManifest(): Promise<string> {
  const next = `https://graph.facebook.com/v25.0/1/media?limit=1&access_token=${secrets.paging}&after=QVFI`;
  const text = JSON.stringify({
    business_discovery: {
      id: '17841400000000001',
      username: 'paper.kite',
      name: 'Invented kite',
      biography: 'Die beste Küste',
      followers_count: 4321,
      follows_count: 7,
      media_count: 12,
      media: { data: [], paging: { next, previous: `https://a.example/?u=${encodeURIComponent(`${next}#`)}` } },
    },
    echo: [encodeURIComponent(secrets.configured), { csrf_token: secrets.csrf }],
    nested: JSON.stringify({ visitorData: secrets.visitor, link: `/?a=1&access_token=${secrets.escaped}` }),
  }).replaceAll('&', '\\u0026');
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'set-cookie': secrets.cookie };
  const path = join(folder, 'graph.json');
  const account = { method: 'GET', match: 'prefix', url: 'https://graph.facebook.com/', status: 200, headers, text };
  await writeFile(path, JSON.stringify({ exchanges: [account] }));
  return path;
}

describe('npm run record', () => {
  test('npm run record stores an answer that later gives the same record', async () => {
    const out = join(folder, 'same');
    const words = `photoProfile handle=paper.kite --out ${out}`;
    const { code, stdout, stderr } = await recordProgram(words, { UPSTREAM_REPLAY: invented });
    expect([code, stderr]).toEqual([0, expect.stringContaining('username=paper.kite 200 web_profile_info-')]);
    const recorded = await fromRecording(join(out, 'manifest.json'), 'photoProfile', { handle: 'paper.kite' });
    expect(recorded).toEqual(JSON.parse(stdout));
    const fetch = createRecordedFetcher(join(out, 'manifest.json'));
    const url = 'https://www.instagram.com/api/v1/users/web_profile_info/?username=paper.kite';
    const { signal } = new AbortController();
    expect(await fetch({ url }, signal)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
    });
    await expect(fetch({ url: `${url}s` }, signal)).rejects.toThrow('no recorded answer');
    await expect(fetch({ url: `${url}&after=x` }, signal)).rejects.toThrow('no recorded answer');
  });

  test('npm run record stores no credential of the request or the answer', async () => {
    const out = join(folder, 'secret');
    const env = { ...graph, UPSTREAM_REPLAY: await graphManifest() };
    const { code, stdout, stderr } = await record(`photoProfile handle=paper.kite --out ${out}`, env);
    expect([code, stderr]).toEqual([0, expect.stringContaining('access_token=removed')]);
    const stored = await everythingIn(out);
    for (const secret of Object.values(secrets)) {
      expect(`${stored}${stderr}`).not.toContain(secret);
      expect(`${stored}${stderr}`).not.toContain(encodeURIComponent(secret));
    }
    expect(stored).not.toMatch(/content-encoding|set-cookie/);
    expect(stored).toContain('Die beste Küste');
    const other = { ...graph, INSTAGRAM_GRAPH_TOKEN: 'another', INSTAGRAM_GRAPH_USER_ID: '99' };
    const recorded = await fromRecording(join(out, 'manifest.json'), 'photoProfile', { handle: 'paper.kite' }, other);
    expect(recorded).toEqual(JSON.parse(stdout));
  });

  test('npm run record replaces the entry of the same request and keeps the other entries', async () => {
    const out = join(folder, 'again');
    const env = { UPSTREAM_REPLAY: invented };
    for (const handle of ['one.kite', 'two.kite', 'one.kite']) {
      expect((await record(`photoProfile handle=${handle} --out ${out}`, env)).code).toBe(0);
    }
    const entries = await entriesIn(out);
    expect(entries.map(({ query }) => query)).toEqual([{ username: 'one.kite' }, { username: 'two.kite' }]);
    expect((await readdir(out)).sort()).toEqual([...entries.map(({ file }) => file), 'manifest.json'].sort());
  });

  test('npm run record cuts an answer to the part that --only names', async () => {
    const out = join(folder, 'cut');
    const words = `photoProfile handle=paper.kite --out ${out}`;
    const env = { UPSTREAM_REPLAY: invented };
    expect((await record(`${words} --only data.user`, env)).code).toBe(0);
    const [entry] = await entriesIn(out);
    const body = JSON.parse(await readFile(join(out, String(entry?.file)), 'utf8'));
    expect([Object.keys(body), Object.keys(body.data)]).toEqual([['data'], ['user']]);
    const absent = await record(`${words} --only data.nothing`, env);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('no JSON answer has data.nothing')]);
  });

  test('npm run record stores the answer that caused an error, and exits with 1', async () => {
    const out = join(folder, 'gone');
    const prefix = 'https://www.instagram.com/';
    const upstream = await mkdtemp(join(folder, 'upstream-'));
    const manifest = await writeInventedManifest(upstream, { special: [{ prefix, status: 404 }] });
    const { code, stdout } = await record(`photoProfile handle=paper.kite --out ${out}`, { UPSTREAM_REPLAY: manifest });
    expect([code, stdout]).toEqual([1, expect.stringContaining('RESOURCE_NOT_FOUND')]);
    expect((await entriesIn(out)).map(({ status }) => status)).toContain(404);
  });

  test.each([
    ['photoProfil handle=x --out OUT', 'did you mean photoProfile?'],
    ['--out OUT', 'The name of the collector is missing. Use one of:\nphotoProfile\n'],
    ['photoProfile handle=x', '--out is missing'],
    ['photoProfile x --out OUT', 'name=value'],
    ['photoProfile handle= --out OUT', 'handle'],
    ['photoProfile handle=x --out OUT --only data..user', '--only must be names of JSON fields with dots between them'],
    ['photoProfile handle=x --out /dev/null/recordings', '--out must be a folder that can be written'],
  ])('npm run record refuses %s', async (words, message) => {
    const out = join(folder, 'refused');
    const { code, stdout, stderr } = await record(words.replace('OUT', out), { UPSTREAM_REPLAY: invented });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test('npm run record as a program prints only the message of a refusal, and exits with 2', async () => {
  const { code, stdout, stderr } = await recordProgram('photoProfile handle=x', { UPSTREAM_REPLAY: invented });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('--out is missing')]);
  expect(stderr).not.toMatch(/^\s+at /m);
});

describeRecorded('the recorder', () => {
  test('npm run record repeats every recorded call, except calls of the YouTube Data API, with the same outcome', async () => {
    const out = await mkdtemp(join(folder, 'all-'));
    const env = {
      INSTAGRAM_GRAPH_TOKEN: 't',
      INSTAGRAM_GRAPH_USER_ID: '1',
      META_ADLIBRARY_TOKEN: 't',
      X_BEARER_TOKEN: 't',
    };
    const config = readConfig({ ...env, UPSTREAM_REPLAY: recordedManifest });
    const recordings = await openRecordingFolder(out);
    const recorder = createRecorder(createRecordedFetcher(recordedManifest), config.sources, undefined);
    const calls = recordedCalls(recordedManifest);
    // Runs the calls one after the other, because hundreds of calls at once exceed the sources' time limits on a busy
    // machine.
    const outcomes = async (fetch: Fetcher) => {
      const all: string[] = [];
      for (const call of calls) all.push(await outcomeOf(call, { ...createSources(config, () => now), fetch }));
      return all;
    };
    const recorded = await outcomes(recorder.fetch);
    await recordings.add(recorder.exchanges());
    expect(await outcomes(createRecordedFetcher(join(out, 'manifest.json')))).toEqual(recorded);
    expect(recorded.filter((one) => one.startsWith('{') || one.startsWith('[')).length).toBeGreaterThan(50);
  });
});

const now = new Date('2026-11-20T10:00:00.000Z');

/** Repeats a recorded call of a collector. Returns the record as JSON, or the error code. */
async function outcomeOf({ collector: name, params, sources }: RecordedCall, context: Omit<CollectContext, 'signal'>) {
  const collector = collectorNamed(name);
  const own = { ...collector, sources: collector.sources.filter((source) => sources.has(source.name)) };
  const parsed = collector.params.safeParse(params);
  if (!parsed.success) return 'INVALID';
  try {
    const signal = new AbortController().signal;
    return JSON.stringify((await collect(own, parsed.data, { ...context, signal })).record);
  } catch (error) {
    if (error instanceof SourceError) return `${name} ${error.code}`;
    return `${name} ${String(error)}`;
  }
}
