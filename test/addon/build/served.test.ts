import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildFiles } from '../../../scripts/build-addon.ts';
import { checkAddon } from '../../../scripts/check-addon.ts';
import { addonFile, addonFiles, originMark } from '../../../server/addon/built-files.ts';
import { addonFileRoutes } from '../../../server/addon/files.ts';

/** The server address. Its length equals that of the placeholder, because the build breaks lines by their length. */
const origin = 'https://social.my-server.example:8443';

function get(name: string, headers: Record<string, string> = {}): Response {
  const route = addonFileRoutes(origin)[`/addon/${name}`];
  return route?.(new Request(`${origin}/addon/${name}`, { headers })) ?? expect.fail(`/addon/${name} is not a route`);
}

test('the add-on files that the server sends are the files that a build for its address writes', async () => {
  const built = await buildFiles(origin);
  for (const name of addonFiles) {
    const served = await get(name).text();
    expect(served).toBe(built[name]);
    expect(served.replaceAll('\\\n', '')).not.toContain(originMark);
  }
});

test('the add-on files that the server sends pass every check that the build makes before a push', async () => {
  const files = Object.fromEntries(addonFiles.map((name) => [name, addonFile(name, `${origin}/`)]));
  const claspignore = await readFile(join(import.meta.dirname, '../../../addon/.claspignore'), 'utf8');
  expect(checkAddon({ files, claspignore })).toEqual([]);
});

test('a browser that already has a file of the add-on gets 304 without a body until the file changes', async () => {
  const first = get('Code.js');
  const tag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const again = get('Code.js', { 'if-none-match': `"other", W/${tag}` });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect(get('Code.js', { 'if-none-match': '"other"' }).status).toBe(200);
  expect(
    addonFileRoutes('https://other.example')['/addon/Code.js']?.(new Request(origin)).headers.get('etag'),
  ).not.toBe(tag);
});

test('the sidebar page is never sent as a page of this server, where its script would have the session of the visitor', () => {
  expect(get('Sidebar.html').headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(get('Sidebar.html').headers.get('content-security-policy')).toContain("default-src 'none'");
});
