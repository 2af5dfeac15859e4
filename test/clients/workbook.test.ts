import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeys } from '../../db/accounts/keys.ts';
import { excelWorkbook } from '../../server/addon/workbook.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { parseM } from './m-language.ts';
import { readWorkbook } from './workbook-reader.ts';

const server = 'https://social.example';
const template = readFileSync(resolve(import.meta.dirname, '../../clients/excel/profile-list.pq'), 'utf8');

describe('the Excel workbook', () => {
  test('the query of the workbook is the Excel template with the server address, and reads the key from the marked cell', async () => {
    const { formula, key } = readWorkbook(excelWorkbook(`${server}/`));
    const changed = {
      Server: `    Server = "${server}",`,
      ApiKey: '    ApiKey = Excel.CurrentWorkbook(){[Name = "ApiKey"]}[Content]{0}[Column1],',
    };
    const expected = template
      .replace(/^(?:\/\/.*\n)+/, '')
      .trim()
      .replace(/^ {4}(Server|ApiKey) = ".*",$/gm, (_, name: keyof typeof changed) => changed[name]);
    expect(formula).toBe(expected);
    for (const line of Object.values(changed)) expect(formula).toContain(line);
    expect(formula).not.toContain('paste a sheet key here');
    expect(key).toBe('');
    await parseM(formula);
  });

  test('a quote in the server address cannot end the text in the query of the workbook', async () => {
    const { formula } = readWorkbook(excelWorkbook(`${server}/a"b`));
    expect(formula).toContain(`Server = "${server}/a%22b",`);
    await parseM(formula);
  });

  test('every part of the workbook is declared, every relation leads to a part, and the query fills the table with its name', () => {
    const { files, metadata, permissions } = readWorkbook(excelWorkbook(server, 'tide_sheet_invented'));
    const text = (name: string) => files.get(name)?.toString('utf8') ?? expect.fail(`${name} is missing`);
    const all = (source: string, form: RegExp) => [...source.matchAll(form)].map(([, found = '']) => found);
    for (const part of all(text('[Content_Types].xml'), /PartName="\/([^"]+)"/g))
      expect([...files.keys()]).toContain(part);
    for (const name of [...files.keys()].filter((file) => file.endsWith('.rels'))) {
      const base = new URL(name.replace(/_rels\/[^/]+$/, ''), 'https://workbook.invalid/');
      for (const target of all(text(name), /Target="([^"]+)"/g)) {
        expect([...files.keys()], name).toContain(new URL(target, base).pathname.slice(1));
      }
    }
    expect(text('xl/tables/table2.xml')).toContain('name="ProfileNumbers"');
    expect(text('xl/connections.xml')).toContain('Location=ProfileNumbers;');
    expect(metadata).toContain('<ItemPath>Section1/ProfileNumbers</ItemPath>');
    expect(metadata).toContain('<Entry Type="FillTarget" Value="sProfileNumbers" />');
    expect(permissions).toContain('<FirewallEnabled>true</FirewallEnabled>');
    expect(text('xl/workbook.xml')).toContain('<definedName name="ApiKey">Profiles!$B$2</definedName>');
  });

  test('the same server and key always give the same bytes of the workbook', () => {
    expect(excelWorkbook(server, 'a').equals(excelWorkbook(server, 'a'))).toBe(true);
  });
});

describe('the Excel workbook in a browser', () => {
  let setup: DashboardSetup;
  let browser: TestBrowser;
  beforeAll(async () => {
    [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await setup?.close();
  });

  test('every XML part of the workbook is well-formed for the XML parser of a browser', async () => {
    const { page } = await browser.open();
    await page.goto(setup.base_url);
    const parts = [...readWorkbook(excelWorkbook(server, 'a&b<c')).files].map(([name, bytes]) => [
      name,
      name === 'customXml/item1.xml' ? bytes.toString('utf16le').slice(1) : bytes.toString('utf8'),
    ]);
    const faults = await page.evaluate((list) => {
      const { DOMParser: parser } = globalThis as unknown as {
        DOMParser: new () => { parseFromString(text: string, type: string): { querySelector(name: string): unknown } };
      };
      return list.filter(([, text = '']) =>
        new parser().parseFromString(text, 'text/xml').querySelector('parsererror'),
      );
    }, parts);
    expect(faults).toEqual([]);
  });

  test('a signed-in user downloads the workbook with a new capped sheet key in its cell, and others without a key', async () => {
    const ann = await setup.member();
    const made = await ann.post('/addon/excel', { file_cap: '40' });
    expect(made.headers.get('content-disposition')).toBe('attachment; filename="Tidemark.xlsx"');
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { key } = readWorkbook(Buffer.from(await made.arrayBuffer()));
    const keys = await listKeys(setup.db.sql, ann.workspace_id, setup.clock.now);
    expect(keys).toMatchObject([{ kind: 'sheet', name: 'Excel', monthly_cap: 40, last_four: key.slice(-4) }]);
    const open = await setup.send('/addon/Tidemark.xlsx', '');
    expect(readWorkbook(Buffer.from(await open.arrayBuffer())).key).toBe('');
  });
});
