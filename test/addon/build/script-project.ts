import { once } from 'node:events';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pushAddon } from '../../../scripts/addon/push.ts';
import { installPackage } from '../../setup/installed-package.ts';

const repository = join(import.meta.dirname, '../../..');
export const scriptId = 'invented-script';

interface ApiRequest {
  method: string;
  host: string;
  path: string;
  token: string;
  body: string;
}

export interface ScriptFile {
  name: string;
  type: string;
  source: string;
}

/** A script project in a fake Google Apps Script API, and a folder from which the real clasp pushes to the project. */
export interface ScriptProject {
  folder: string;
  requests: ApiRequest[];
  /** Pushes the add-on, built for the server with this address. */
  push(origin: string): Promise<void>;
  /** Makes the fake Google API refuse all requests from now on. */
  refuse(): void;
  /** Returns the files that the last push uploaded. */
  uploaded(): ScriptFile[];
  close(): Promise<void>;
}

/** Opens an empty script project. Installs the add-on's packages first if they are missing, which takes minutes. */
export async function openScriptProject(): Promise<ScriptProject> {
  await installPackage(join(repository, 'addon'));
  const requests: ApiRequest[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
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
  const folder = await signedInFolder();
  const login = join(folder, 'login.json');
  const env = {
    ...process.env,
    clasp_config_auth: login,
    SCRIPT_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'script-api-redirect.mjs')}`,
  };
  return {
    folder,
    requests,
    push: (origin) => pushAddon({ origin, paths: { addon: folder, login }, env }),
    refuse() {
      status = 403;
    },
    uploaded() {
      const body = requests.findLast(({ method }) => method === 'PUT')?.body ?? '{"files":[]}';
      return (JSON.parse(body) as { files: ScriptFile[] }).files;
    },
    async close() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns a folder that looks like `addon/` after `npm run login`, which signs clasp in to Google. */
async function signedInFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clasp-'));
  await symlink(join(repository, 'addon/node_modules'), join(folder, 'node_modules'));
  await copyFile(join(repository, 'addon/.claspignore'), join(folder, '.claspignore'));
  await writeFile(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: 'dist' }));
  const account = {
    type: 'authorized_user',
    client_id: 'invented',
    client_secret: 'invented',
    refresh_token: 'invented',
  };
  const token = { access_token: 'invented-token', expiry_date: Date.now() + 3_600_000 };
  await writeFile(join(folder, 'login.json'), JSON.stringify({ tokens: { default: { ...account, ...token } } }));
  return folder;
}
