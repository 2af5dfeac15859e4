import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildAddon } from '../../scripts/build-addon.ts';
import { checkBundle } from '../../scripts/check-addon.ts';

async function built(origin: string): Promise<string> {
  const out_dir = await mkdtemp(join(tmpdir(), 'addon-'));
  onTestFinished(() => rm(out_dir, { recursive: true }));
  await buildAddon({ origin, out_dir });
  return out_dir;
}

test('the build gives the two files that are pushed, made for one origin', async () => {
  const out_dir = await built('https://social.example');
  expect((await readdir(out_dir)).sort()).toEqual(['Code.js', 'appsscript.json']);
  const manifest = JSON.parse(await readFile(join(out_dir, 'appsscript.json'), 'utf8'));
  expect(manifest).toMatchObject({ runtimeVersion: 'V8', urlFetchWhitelist: ['https://social.example/'] });
  expect(manifest.oauthScopes).not.toContain('https://www.googleapis.com/auth/spreadsheets');
  const code = await readFile(join(out_dir, 'Code.js'), 'utf8');
  expect(code).toContain('"https://social.example"');
  expect(code.indexOf('@customfunction')).toBeLessThan(code.indexOf('var Addon_'));
  expect(code).not.toContain('`');
  expect(checkBundle(code)).toEqual([]);
});

test('the manifest and the bundle name the same host, without the path or port that was not given', async () => {
  const out_dir = await built('https://social.example:8443/');
  const { urlFetchWhitelist } = JSON.parse(await readFile(join(out_dir, 'appsscript.json'), 'utf8'));
  expect(urlFetchWhitelist).toEqual(['https://social.example:8443/']);
});

test.each([
  'http://social.example',
  'http://localhost:8787',
  'social.example',
  'https://social.example/v1',
  'https://name:word@social.example',
  'https://social.example/?a=b',
])('%s is not an origin to send keys to', async (origin) => {
  await expect(built(origin)).rejects.toThrow(origin);
});

const stub = `/**
 * What it does.
 * @param {"a"} a What it takes.
 * @customfunction
 */
function NAME(a) {
  return Addon_.NAME(a);
}
`;

function bundleWith(inside: string, exported = '{ NAME: f }'): string {
  return `${stub}var Addon_ = (() => { ${inside}; const f = (a) => a; return ${exported}; })();`;
}

test('a bundle that fits is accepted, with members that are only named like a missing global', () => {
  expect(checkBundle(bundleWith('const a = { URL: 1 }; a.fetch = a?.URL ?? 2'))).toEqual([]);
});

test.each([
  ['new URL', bundleWith('const g = () => new URL("https://a.example")'), 'URL does not exist'],
  ['fetch', bundleWith('const g = async () => fetch("https://a.example")'), 'fetch does not exist'],
  ['a class field', bundleWith('class A { x = 1 }'), 'cannot parse'],
  ['a private field', bundleWith('class A { #x }'), 'cannot parse'],
  ['a logical assignment', bundleWith('let x; x ??= 1'), 'cannot parse'],
  ['a module', `${bundleWith('')} export {};`, 'cannot parse'],
  [
    'a service call at load',
    bundleWith('PropertiesService.getUserProperties()'),
    'PropertiesService is used while loading',
  ],
  ['a missing stub', bundleWith('', '{ NAME: f, other: f }'), 'other is exported and has no stub'],
  ['a stub of nothing', bundleWith('', '{}'), 'NAME has a stub and is not exported'],
  ['a stray global', `var secret = 1; ${bundleWith('')}`, 'secret stands at the top level'],
  ['a stub that does more', bundleWith('').replace('Addon_.NAME(a);', 'String(Addon_.NAME(a));'), 'more than hand'],
  ['a stub without help', bundleWith('').replace('@customfunction', ''), 'not a documented formula'],
  ['an undocumented parameter', bundleWith('').replace('@param', '@note'), 'does not document a'],
])('the build refuses %s', (_, code, fault) => {
  expect(checkBundle(code).join('\n')).toContain(fault);
});
