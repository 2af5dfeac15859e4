import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderMarkdown } from '../../server/docs/markdown.ts';
import { readPictures } from '../../server/docs/pictures.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { maxPictureBytes } from '../harness/picture.ts';
import { sourceDocuments } from './blocks.ts';

const folder = resolve('docs/pictures');
const names = readdirSync(folder);
let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

test('every picture of the documentation is small, and a document or the README shows it with a description', () => {
  const texts = sourceDocuments.map(({ text }) => text).join('\n');
  for (const name of names) {
    expect(readFileSync(join(folder, name)).length, name).toBeLessThanOrEqual(maxPictureBytes);
    expect(texts, name).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\((?:docs/)?pictures/${name}\\)`));
  }
  expect(names.length).toBeGreaterThan(5);
});

test('the server sends each picture as WebP that a browser keeps for a day, and nothing else of its folder', async () => {
  for (const name of names) {
    const answer = await fetch(`${setup.base_url}/docs/pictures/${name}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'x-credits-charged': '0',
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(join(folder, name)));
  }
  for (const path of ['', 'none.webp', '..%2Faddon.md', '..%5Caddon.md'])
    expect((await fetch(`${setup.base_url}/docs/pictures/${path}`)).status, path).toBe(404);
});

test('a document shows a picture of this server with its size and a link, and any other picture only as its description', () => {
  const shown = (text: string) => renderMarkdown(text, { pictures: readPictures() }).html;
  expect(shown('![A "filled" sheet](pictures/sheet.webp)')).toMatch(
    /^<p><a href="\/docs\/pictures\/sheet\.webp"><img src="\/docs\/pictures\/sheet\.webp" width="\d+" height="\d+" alt="A &quot;filled&quot; sheet" loading="lazy"><\/a><\/p>\n$/,
  );
  for (const address of ['pictures/none.webp', 'https://x.example/sheet.webp', '/docs/pictures/sheet.webp'])
    expect(shown(`![Only text](${address})`)).toBe('<p>Only text</p>\n');
});

test('the pictures of the guide load when a reader scrolls to them, sharp and undistorted, even in a narrow window', async () => {
  for (const width of [390, 1440]) {
    const { page, problems } = await browser.open({ viewport: { width, height: 800 } });
    await page.goto(`${setup.base_url}/docs/addon`);
    const pictures = await page.locator('article img').all();
    expect(pictures.length).toBeGreaterThan(5);
    for (const picture of pictures) {
      await picture.scrollIntoViewIfNeeded();
      const size = await picture.evaluate(async (element) => {
        const image = element as unknown as Record<string, number> & { decode(): Promise<void> };
        await image.decode();
        return { natural: image.naturalWidth, height: image.naturalHeight, width: image.width, shown: image.height };
      });
      expect(size.natural).toBeGreaterThanOrEqual(2 * (size.width ?? 0));
      expect((size.shown ?? 0) / (size.width ?? 0)).toBeCloseTo((size.height ?? 0) / (size.natural ?? 0), 1);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  }
}, 60_000);
