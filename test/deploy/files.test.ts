import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../server/config.ts';
import { welcome } from '../../server/first-start.ts';
import { openFolder } from '../setup/processes.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface ComposeService {
  environment?: Record<string, string>;
  secrets?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  networks?: string[];
  ports?: string[];
  logging?: object;
  command?: string[];
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
}

/** The default of PostgreSQL's setting `max_connections`. */
const postgresDefault = 100;

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
let folder: string;

beforeAll(async () => {
  folder = await openFolder();
  await cp(join(root, 'deploy/secrets.sh'), join(folder, 'deploy/secrets.sh'));
  execFileSync('sh', ['deploy/secrets.sh'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

test('each service in compose.yaml has limits and few rights, only the proxy is reachable, and the database has no access to the internet', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.cap_drop, name).toEqual(['ALL']);
    expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    expect([service.mem_limit, service.logging], name).toEqual([expect.any(String), expect.any(Object)]);
    expect(service.ports !== undefined, name).toBe(name === 'proxy');
  }
  for (const name of ['server', 'pipeline', 'proxy']) expect(compose.services[name]?.read_only, name).toBe(true);
  expect(compose.services.database?.networks).toEqual(['inside']);
  expect(compose.networks.inside?.internal).toBe(true);
});

test('the servers and pipelines start with the environment of compose.yaml and the secrets that secrets.sh creates', () => {
  for (const name of ['server', 'pipeline']) {
    const { environment = {}, secrets = [] } = compose.services[name] ?? {};
    const values = Object.entries(environment).map(([variable, text]) => {
      const value = String(text)
        .replace(/\$\{DOMAIN:\?[^}]*\}/g, 'social.example')
        .replace(/\$\{\w+:-\}/g, '');
      return [variable, value.replace('/run/secrets/', join(folder, 'deploy/secrets/'))];
    });
    const config = readConfig(Object.fromEntries(values));
    expect(config.base_url).toBe('https://social.example');
    expect(config.database_url).toMatch(/^postgres:\/\/tidemark:[0-9a-f]{48}@database:5432\/tidemark$/);
    expect([config.pipeline, config.trust_proxy]).toEqual(['off', 1]);
    expect(config.session_secret).toHaveLength(64);
    for (const secret of secrets)
      expect(existsSync(join(folder, compose.secrets[secret]?.file ?? '')), secret).toBe(true);
  }
});

test('compose.yaml passes on every variable that the guide explains, and no other', () => {
  const table = /\| variable \| default \|[\s\S]*?\n\n/.exec(read('docs/operating.md'))?.[0] ?? '';
  const explained = new Set(
    table.split('\n').flatMap((row) => (row.split(' | ')[0] ?? '').match(/\b[A-Z][A-Z_]+\b/g) ?? []),
  );
  for (const name of table.match(/`OTEL_\w+`/g) ?? []) explained.add(name.slice(1, -1));
  const passed = Object.keys(compose.services.server?.environment ?? {}).map((name) => name.replace(/_FILE$/, ''));
  // The image sets HOST and PORT. The other variables are for the built-in database, for tests, or to name each
  // process.
  const fixed = ['HOST', 'PORT', 'DATA_DIR', 'UPSTREAM_REPLAY', 'OTEL_SERVICE_NAME'];
  expect([...passed, ...fixed].sort()).toEqual([...explained].sort());
});

test('PostgreSQL in compose.yaml allows the connections of all processes in the example of the guide', () => {
  const eachProcess = Number(/opens up to (\d+) database connections/.exec(read('docs/operating.md'))?.[1]);
  const [, servers, pipelines] = /--scale server=(\d+) --scale pipeline=(\d+)/.exec(read('docs/deployment.md')) ?? [];
  const command = compose.services.database?.command ?? [];
  const allowed = Number(/max_connections=(\d+)/.exec(command.join(' '))?.[1] ?? postgresDefault);
  const forTools = 20;
  expect(allowed).toBeGreaterThanOrEqual((Number(servers) + Number(pipelines)) * eachProcess + forTools);
});

test('the log command of the guide shows the sign-in link and the keys of the first start', () => {
  const shown = Number(/logs server \| grep -A(\d+) "Tidemark is running"/.exec(read('docs/deployment.md'))?.[1]);
  const first = { live_key: 'tide_live_a', test_key: 'tide_test_b', sign_in_link: 'https://social.example/enter' };
  const printed = welcome('https://social.example', first).split('\n');
  const from = printed.findIndex((line) => line.includes('Tidemark is running'));
  const text = printed.slice(from, from + shown + 1).join('\n');
  for (const part of Object.values(first)) expect(text).toContain(part);
});

test('secrets.sh keeps existing secrets, and other users cannot enter its folder', () => {
  const before = readFileSync(join(folder, 'deploy/secrets/session_secret'), 'utf8');
  execFileSync('sh', ['deploy/secrets.sh'], { cwd: folder });
  expect(readFileSync(join(folder, 'deploy/secrets/session_secret'), 'utf8')).toBe(before);
  expect(statSync(join(folder, 'deploy/secrets')).mode & 0o777).toBe(0o700);
});

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the service unit', () => {
  let text = '';
  try {
    execFileSync('systemd-analyze', ['verify', join(root, 'deploy/tidemark.service')], { stdio: 'pipe' });
  } catch (error) {
    text = String((error as { stderr?: Buffer }).stderr);
  }
  // Ignores the message that the unit's program does not exist on this machine.
  const problems = text.split('\n').filter((line) => line !== '' && !line.includes('is not executable'));
  expect(problems).toEqual([]);
});

test('npm scripts, the container and the service unit start a server with the same memory options', () => {
  const optionsIn = (text: string) => text.match(/--(?:max-semi-space-size|heap-growing-percent)=\d+/g)?.join(' ');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<'start' | 'up' | 'pipeline', string> };
  const commands = [scripts.up, scripts.pipeline, read('Dockerfile'), read('deploy/tidemark.service')];
  expect(optionsIn(scripts.start)?.split(' ')).toHaveLength(2);
  expect(commands.map(optionsIn)).toEqual(Array(commands.length).fill(optionsIn(scripts.start)));
});

test('the Grafana dashboard and the alert rules use only metrics that the server has', () => {
  const source = read('server/status/metrics.ts') + read('pipeline/metrics/metrics.ts');
  const known = new Set(
    [...source.matchAll(/(?:counter|gauge|gaugeOf)\(\s*'(\w+)'/g)].map(([, name]) => `tidemark_${name}`),
  );
  expect(known.size).toBeGreaterThan(12);
  for (const path of ['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml']) {
    const used = new Set(read(path).match(/tidemark_[a-z_0-9]+/g));
    expect(used.size).toBeGreaterThan(7);
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
  }
  const { groups } = parse(read('deploy/prometheus-alerts.yaml')) as { groups: { rules: { alert: string }[] }[] };
  expect(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))).toContain('TidemarkDatabaseDown');
});

test('an alert about a missing metric is silent while the database, from which the metric is read, is down', () => {
  const missing = read('deploy/prometheus-alerts.yaml').match(/absent\(.*/g) ?? [];
  expect(missing).toHaveLength(1);
  for (const expr of missing) expect(expr).toMatch(/^absent\(\w+\) and on\(\) max\(tidemark_database_up\) == 1$/);
});
