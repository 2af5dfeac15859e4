import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, codeOf } from '../harness/answers.ts';
import { copyDataFolder, tidyUp } from '../harness/data-folder.ts';
import { profileAddress, type SpecialAnswer, writeInventedManifest } from '../harness/invented-manifest.ts';
import { operator } from '../harness/operator.ts';
import { startService } from '../harness/service-process.ts';
import { openFolder } from '../setup/processes.ts';

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  await copyDataFolder(dataDir);
});

afterEach(async () => {
  await tidyUp(folder, dataDir);
});

/** Invented secrets of the operator. The invented Graph API repeats its token in an error. */
const secrets = {
  INSTAGRAM_GRAPH_TOKEN: 'invented-graph-token',
  INSTAGRAM_GRAPH_USER_ID: '17841400009990001',
  YOUTUBE_API_KEY: 'invented-youtube-key',
  META_ADLIBRARY_TOKEN: 'invented-meta-token',
  X_BEARER_TOKEN: 'invented-x-token',
};
const graphError = JSON.stringify({
  error: { message: `Try ${secrets.INSTAGRAM_GRAPH_TOKEN} again`, type: 'OAuthException', code: 2 },
});

const failedProfiles: readonly SpecialAnswer[] = [
  { prefix: `${profileAddress}secret.gone`, status: 404 },
  { prefix: `${profileAddress}secret.throttled`, status: 429 },
  { prefix: `${profileAddress}secret.broken`, status: 500 },
  { prefix: `${profileAddress}secret.page`, status: 200, text: '<html>secret.page</html>' },
  { prefix: `${profileAddress}secret.changed`, status: 200, text: '{"data":{"user":{"username":"secret.changed"}}}' },
  {
    prefix: `${profileAddress}secret.login`,
    status: 302,
    headers: { location: 'https://www.instagram.com/accounts/login/?next=/secret.login/' },
  },
];
/** Failures of the profile API. The profile page, which is the next source, fails in the same way. */
const failures = [
  ...failedProfiles,
  ...failedProfiles.map((answer) => ({
    ...answer,
    prefix: answer.prefix.replace(profileAddress, 'https://www.instagram.com/'),
  })),
  { prefix: 'https://graph.facebook.com/', status: 500, text: graphError },
];
const handles = ['fine', 'gone', 'throttled', 'broken', 'page', 'changed', 'login'].map((name) => `secret.${name}`);

test('the log identifies each request by id, route, status and workspace, and never a key, a token or the value of a parameter', async () => {
  const manifest = await writeInventedManifest(folder, { special: failures });
  const service = await startService({
    DATA_DIR: dataDir,
    UPSTREAM_REPLAY: manifest,
    KEYLESS_SOURCES: '-instagram-profile-page',
    ...secrets,
  });
  const welcome = service.output();
  const made = await operator(['workspace', 'create', '--name', 'logged', '--credits', '3', '--json'], {
    DATA_DIR: dataDir,
  });
  const { workspace_id, live_key, test_key } = JSON.parse(made.stdout) as Record<string, string>;
  const key = live_key ?? '';
  const unknownKey = `${key.slice(0, -1)}x`;

  const paths = [
    ...handles.map((handle) => `/v1/photo/profile?handle=${handle}`),
    ...handles.map((handle) => `/v1/workflows/profile?url=https://www.instagram.com/${handle}/`),
    `/v1/photo/posts?handle=secret.fine&cursor=secret-cursor`,
    `/v1/photo/profile?handle=secret.fine&api_key=${key}`,
    `/v1/photo/profile?handle=secret handle`,
    `/v1/${key}?handle=secret.path`,
    `/v1/credit/balance?x-api-key=${key}`,
    '/v1/photo/profile?handle=secret.other',
  ];
  const answers = [];
  for (const [index, path] of paths.entries()) {
    const repeat = `secret-repeat-${index % (paths.length - 1)}`;
    const headers = { 'idempotency-key': repeat, authorization: `Bearer ${key}` };
    answers.push(await ask(service.base_url, path, key, headers));
  }
  for (const one of [test_key ?? '', unknownKey, 'not-a-key']) {
    answers.push(await ask(service.base_url, '/v1/photo/profile?handle=secret.fine', one));
  }
  const codes = new Set(answers.filter(({ status }) => status !== 200).map(codeOf));
  expect(codes).toEqual(
    new Set([
      'RESOURCE_NOT_FOUND',
      'SOURCE_CAPACITY',
      'SOURCE_UNAVAILABLE',
      'SOURCE_RESPONSE_CHANGED',
      'SOURCE_RESTRICTED',
      'INVALID_INPUT',
      'INVALID_API_KEY',
      'ROUTE_NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
    ]),
  );
  await service.stop();

  const log = service.output().slice(welcome.length);
  const told = [key, test_key, unknownKey, 'not-a-key', ...Object.values(secrets), 'secret'];
  expect(told.filter((text) => text === undefined || log.includes(text))).toEqual([]);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const keyed = answers.filter((answer) => answer.status !== 404 || codeOf(answer) !== 'ROUTE_NOT_FOUND');
  for (const answer of keyed) {
    const line = lines.find(({ request_id }) => request_id === answer.request_id);
    const known = answer.status === 401 ? null : workspace_id;
    expect(line).toMatchObject({
      msg: 'request',
      status: answer.status,
      workspace_id: known,
      route: expect.stringMatching(/^\/v1\//),
    });
  }
});
