import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pushAddon } from '../../../scripts/push-addon.ts';
import { installPackage } from '../../setup/installed-package.ts';

const repository = join(import.meta.dirname, '../../..');
const installMs = 300_000;
const scriptId = 'invented-script';
const origin = 'https://social.example';

type Request = { method: string; host: string; path: string; token: string; body: string };
type ScriptFile = { name: string; type: string; source: string };

/** A fake of Google's Apps Script API, which keeps the files of one project. */
let server: Server;
let requests: Request[];
let status: number;
let folder: string;

beforeAll(async () => {
  await installPackage(join(repository, 'addon'));
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const [host, token] = [String(headers['x-asked-host']), String(headers.authorization)];
    requests.push({ method, host, path: url, token, body });
    response.writeHead(status, { 'content-type': 'application/json' });
    const failure = {
      error: { code: status, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' },
    };
    response.end(status === 200 ? body || JSON.stringify({ scriptId, files: [] }) : JSON.stringify(failure));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}, installMs);
afterAll(() => server?.close());

beforeEach(async () => {
  requests = [];
  status = 200;
  folder = await mkdtemp(join(tmpdir(), 'clasp-'));
  await symlink(join(repository, 'addon/node_modules'), join(folder, 'node_modules'));
  await copyFile(join(repository, 'addon/.claspignore'), join(folder, '.claspignore'));
  await writeFile(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: 'dist' }));
  const login = {
    type: 'authorized_user',
    client_id: 'invented',
    client_secret: 'invented',
    refresh_token: 'invented',
  };
  const token = { access_token: 'invented-token', expiry_date: Date.now() + 3_600_000 };
  await writeFile(join(folder, 'login.json'), JSON.stringify({ tokens: { default: { ...login, ...token } } }));
  return () => rm(folder, { recursive: true });
});

function push(): Promise<void> {
  const login = join(folder, 'login.json');
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    clasp_config_auth: login,
    SCRIPT_API: `http://127.0.0.1:${port}`,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'script-api-redirect.mjs')}`,
  };
  return pushAddon({ origin, paths: { addon: folder, login }, env });
}

test('a push with the real clasp uploads the three built files of this server to the script project, and nothing else', async () => {
  await push();
  const [uploaded, ...more] = requests.filter(({ method }) => method === 'PUT');
  expect(more).toEqual([]);
  expect(uploaded).toMatchObject({
    host: 'script.googleapis.com',
    path: `/v1/projects/${scriptId}/content`,
    token: 'Bearer invented-token',
  });
  const { files } = JSON.parse(uploaded?.body ?? '{}') as { files: ScriptFile[] };
  const sourceOf = (name: string) => readFile(join(folder, 'dist', name), 'utf8');
  expect(files.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'appsscript', type: 'JSON', source: await sourceOf('appsscript.json') },
    { name: 'Code', type: 'SERVER_JS', source: await sourceOf('Code.js') },
    { name: 'Sidebar', type: 'HTML', source: await sourceOf('Sidebar.html') },
  ]);
  expect(await sourceOf('appsscript.json')).toContain(`"${origin}/"`);
});

test('a push that Google refuses ends with an error that points to the message of clasp', async () => {
  status = 403;
  await expect(push()).rejects.toThrow('clasp did not push the add-on. Its message is above.');
});
