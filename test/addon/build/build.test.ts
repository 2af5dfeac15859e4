import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { InstallKind } from '../../../addon/platform/page-replies.ts';
import { buildAddon, readBuildArguments } from '../../../scripts/build-addon.ts';
import { checkAddon, readBuiltAddon } from '../../../scripts/check-addon.ts';
import { checkCallable } from '../../../scripts/check-addon-callable.ts';
import { checkBundle } from '../../../scripts/check-addon-code.ts';
import { checkManifest } from '../../../scripts/check-addon-manifest.ts';
import { checkPage, serverCalls } from '../../../scripts/check-addon-page.ts';

type BuiltAddon = Parameters<typeof checkAddon>[0];
let example: Promise<BuiltAddon> | undefined;

/** Returns the files of one build, which several tests only read. */
async function builtExample(): Promise<BuiltAddon> {
  example ??= built('https://social.example').then(readBuiltAddon);
  // Starts a new build when a failed test is repeated.
  example.catch(() => {
    example = undefined;
  });
  return await example;
}

async function built(origin: string, install: InstallKind = 'bound'): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  onTestFinished(() => rm(outDir, { recursive: true }));
  await buildAddon({ origin, out_dir: outDir, install });
  return outDir;
}

test('the build writes the three files of the add-on for one server address, and its checks find no fault', async () => {
  const addon = await builtExample();
  expect(Object.keys(addon.files).sort()).toEqual(['Code.js', 'Sidebar.html', 'appsscript.json']);
  expect(checkAddon(addon)).toEqual([]);
  const manifest = JSON.parse(addon.files['appsscript.json'] ?? '');
  expect(manifest).toMatchObject({ runtimeVersion: 'V8', urlFetchWhitelist: ['https://social.example/'] });
  expect(manifest.oauthScopes).not.toContain('https://www.googleapis.com/auth/spreadsheets');
  const code = addon.files['Code.js'] ?? '';
  expect(code).toContain('"https://social.example"');
  expect(code.lastIndexOf('@customfunction')).toBeLessThan(code.indexOf('var Addon_'));
});

test('the manifest and the code of a built add-on name the same server address, with its port only when it has one', async () => {
  const outDir = await built('https://social.example:8443/');
  const { urlFetchWhitelist } = JSON.parse(await readFile(join(outDir, 'appsscript.json'), 'utf8'));
  expect(urlFetchWhitelist).toEqual(['https://social.example:8443/']);
});

test('without --standalone, the add-on is built for the script of one spreadsheet, where keys are protected most', async () => {
  expect(readBuildArguments(['https://social.example'])).toEqual({
    origin: 'https://social.example',
    install: 'bound',
  });
  expect(readBuildArguments(['--standalone', 'https://social.example'])).toMatchObject({ install: 'addon' });
  const code = (await builtExample()).files['Code.js'];
  const outDir = await built('https://social.example', 'bound');
  expect(await readFile(join(outDir, 'Code.js'), 'utf8')).toBe(code);
  await buildAddon({ origin: 'https://social.example', out_dir: outDir, install: 'addon' });
  expect(await readFile(join(outDir, 'Code.js'), 'utf8')).not.toBe(code);
});

test.each([
  'http://social.example',
  'http://localhost:8787',
  'social.example',
  'https://social.example/v1',
  'https://name:word@social.example',
  'https://social.example/?a=b',
])('a build of the add-on refuses %s, which is not an https server address', async (origin) => {
  await expect(built(origin)).rejects.toThrow(origin);
});

test('a build of the add-on without a server address prints one sentence and exits with 1', async () => {
  const { TIDEMARK_ORIGIN: _origin, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ['scripts/build-addon.ts'], { env });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The origin of your API is missing. Run: npm run addon:build -- https://social.example\n',
  });
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

test('the syntax check of the build accepts a valid bundle, even with members named like an unavailable global', () => {
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
  ['a missing stub', bundleWith('', '{ NAME: f, other: f }'), 'other is exported but has no stub'],
  ['a stub of nothing', bundleWith('', '{}'), 'NAME has a stub but is not exported'],
  ['a stray global', `var secret = 1; ${bundleWith('')}`, 'secret must not be at the top level'],
  ['a stub that does more', bundleWith('').replace('Addon_.NAME(a);', 'String(Addon_.NAME(a));'), 'more than pass'],
  ['a stub without a sentence', bundleWith('').replace(/\/\*\*[\s\S]*\*\//, ''), 'has no comment'],
  [
    'a stub with an argument less',
    bundleWith('').replaceAll('(a) {', '() {').replaceAll('NAME(a)', 'NAME()'),
    'the function takes 1',
  ],
  ['a template literal', bundleWith('const t = `a`'), 'template literal'],
  ['an undocumented parameter', bundleWith('').replace('@param', '@note'), 'does not document a'],
])('the build refuses %s', (_, code, fault) => {
  expect(checkBundle(code).join('\n')).toContain(fault);
});

const page = `<!doctype html><html lang="en"><head><title>a</title><style>
p { margin: 0 }
</style></head><body><script>
google.script.run.withSuccessHandler(show).withFailureHandler(show).readState();
function ask(name, value) { google.script.run.withSuccessHandler(show)[name](value); }
ask("saveState", 1);
</script></body></html>`;

test('the page check of the build accepts a valid page, and finds the server functions that it calls', () => {
  expect(checkPage(page)).toEqual([]);
  expect(serverCalls(page)).toEqual([
    { name: 'readState', arguments: 0 },
    { name: 'saveState', arguments: 1 },
  ]);
  expect(serverCalls(page.replace('"saveState"', 'some + name')).map(({ name }) => name)).toEqual(['readState', null]);
});

test.each([
  ['a backtick, even in a style', page.replace('margin', '/* ` */ margin'), 'backtick'],
  ['a template literal', page.replace('"saveState"', '`saveState`'), 'backtick'],
  ['a class field', page.replace('ask(', 'class A { x = 1 } ask('), 'not ES2020'],
  ['a private field', page.replace('ask(', 'class A { #x } ask('), 'not ES2020'],
  ['a scriptlet', page.replace('"saveState"', '"<?= 1 ?>"'), 'scriptlet'],
  ['a comment', page.replace('"saveState"', '"<!--"'), '<!--'],
  ['the end of the script in a text', page.replace('"saveState"', '"</script>"'), 'exactly one script'],
  [
    'a second script',
    page.replace('</body>', '<script src="https://a.example"></script></body>'),
    'exactly one script',
  ],
])('the build refuses a page with %s', (_, broken, fault) => {
  expect(checkPage(broken).join('\n')).toContain(fault);
});

/** Add-on code with one of each that the build checks: a formula, a menu function, a page function and a trigger. */
const code = `${stub}/** Opens. */
function onOpen() {
  return Addon_.onOpen();
}
/** Page. */
function readState() {
  return Addon_.readState();
}
/** Menu. */
function menu_() {
  return Addon_.menu();
}
var Addon_ = (() => {
  const handler = "menu_";
  return {
    NAME: (a) => UrlFetchApp.fetch("https://social.example"),
    onOpen: () => SpreadsheetApp.getUi().createAddonMenu().addItem("Menu", "menu_").addToUi(),
    readState: () => { SpreadsheetApp.getUi(); return 1; },
    menu: () => ScriptApp.newTrigger(handler).timeBased().everyHours(1).create(),
  };
})();`;
const allowed = { formulas: ['NAME'], triggers: ['onOpen'], page: ['readState'] };

test('the build check accepts callable functions on its list, but refuses sidebar calls with more arguments than the function takes', () => {
  expect(checkBundle(code)).toEqual([]);
  expect(checkCallable(code, [{ name: 'readState', arguments: 0 }], allowed)).toEqual([]);
  expect(checkCallable(code, [{ name: 'readState', arguments: 1 }], allowed)).toEqual([
    'The sidebar calls readState with 1 arguments, but its stub takes 0.',
  ]);
});

test.each([
  [
    'a formula that is not on the list',
    code,
    ['readState'],
    { ...allowed, formulas: [] },
    'NAME is callable by every editor',
  ],
  ['a function that is not on the list', code, [], { ...allowed, page: [] }, 'readState is callable by every editor'],
  ['a listed function that is gone', code, [], { ...allowed, page: ['readState', 'gone'] }, 'gone is on the list'],
  ['a page that runs what has no stub', code, ['saveState'], allowed, 'calls saveState, which has no callable stub'],
  ['a page that runs a private stub', code, ['menu_'], allowed, 'calls menu_, which has no callable stub'],
  ['a page whose names cannot be read', code, [null], allowed, 'whose name cannot be read'],
  [
    'a page function that a cell could run',
    code.replace('SpreadsheetApp.getUi(); return 1', 'PropertiesService.getUserProperties(); return 1'),
    ['readState'],
    allowed,
    'readState does not begin with SpreadsheetApp.getUi()',
  ],
  [
    'a menu entry of nothing',
    code.replace('"Menu", "menu_"', '"Menu", "gone_"'),
    [],
    allowed,
    'calls gone_, which does not',
  ],
  ['a trigger of nothing', code.replace('= "menu_"', '= "gone_"'), [], allowed, 'calls gone_, which does not'],
  [
    'a trigger of an unknown name',
    code.replace('newTrigger(handler)', 'newTrigger(a + b)'),
    [],
    allowed,
    'cannot be read',
  ],
] as const)('the check of the built add-on refuses %s', (_, broken, names, list, fault) => {
  const lists = { formulas: [...list.formulas], triggers: [...list.triggers], page: [...list.page] };
  const calls = names.map((name) => ({ name, arguments: 0 }));
  expect(checkCallable(broken, calls, lists).join('\n')).toContain(fault);
});

const scope = 'https://www.googleapis.com/auth/';
const manifest = {
  timeZone: 'Etc/UTC',
  runtimeVersion: 'V8',
  exceptionLogging: 'STACKDRIVER',
  oauthScopes: ['spreadsheets.currentonly', 'script.container.ui', 'script.external_request', 'script.scriptapp'].map(
    (name) => scope + name,
  ),
  urlFetchWhitelist: ['https://social.example/'],
};

test('the manifest check of the build accepts exactly the scopes that the code needs', () => {
  expect(checkManifest(JSON.stringify(manifest), code)).toEqual([]);
});

test.each([
  ['another time zone', { timeZone: 'Europe/Berlin' }, 'Etc/UTC'],
  ['another runtime', { runtimeVersion: 'DEPRECATED_ES5' }, 'V8'],
  ['more than is needed', { webapp: { access: 'ANYONE' } }, 'no more'],
  ['a wider scope', { oauthScopes: [...manifest.oauthScopes.slice(1), `${scope}spreadsheets`] }, 'what the code needs'],
  ['a scope too few', { oauthScopes: manifest.oauthScopes.slice(1) }, 'what the code needs'],
  [
    'a second host',
    { urlFetchWhitelist: [...manifest.urlFetchWhitelist, 'https://other.example/'] },
    'one https origin',
  ],
  ['every host', { urlFetchWhitelist: ['https://*.example/'] }, 'one https origin'],
  ['no encryption', { urlFetchWhitelist: ['http://social.example/'] }, 'one https origin'],
  ['another host than the code', { urlFetchWhitelist: ['https://other.example/'] }, 'another origin'],
])('the manifest check of the build refuses %s', (_, change, fault) => {
  expect(checkManifest(JSON.stringify({ ...manifest, ...change }), code).join('\n')).toContain(fault);
});

test('the manifest check of the build refuses a scope that no service in the code needs', () => {
  const withoutTriggers = code.replace('ScriptApp.newTrigger(handler).timeBased().everyHours(1).create()', '1');
  expect(checkManifest(JSON.stringify(manifest), withoutTriggers).join()).toContain('what the code needs');
});

test.each([
  ['a file more', (addon: BuiltAddon) => ({ ...addon, files: { ...addon.files, 'notes.md': '' } }), 'no more'],
  ['a push of more', (addon: BuiltAddon) => ({ ...addon, claspignore: '**/**\n!*.js\n' }), 'everything'],
  ['a push of everything', (addon: BuiltAddon) => ({ ...addon, claspignore: '' }), 'everything'],
  [
    'code that every formula loads for too long',
    (addon: BuiltAddon) => ({
      ...addon,
      files: { ...addon.files, 'Code.js': `${addon.files['Code.js']}//${'x'.repeat(20_000)}` },
    }),
    'bytes',
  ],
])('the check of the built add-on refuses %s', async (_, change, fault) => {
  const addon = await builtExample();
  expect(checkAddon(change(addon)).join('\n')).toContain(fault);
});
