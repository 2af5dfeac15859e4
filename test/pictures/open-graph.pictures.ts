import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openGraphSvg } from '../../scripts/design/open-graph.ts';
import { startBrowser } from '../harness/browser.ts';

/** Maximum bytes of the preview picture. Some social networks do not show larger pictures. */
const maxBytes = 300_000;

test('draws the open-graph (link preview) picture as PNG, because chats and social networks do not show SVG', async () => {
  const { resolve: find } = createRequire(import.meta.url);
  const font = readFileSync(find('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')).toString('base64');
  const browser = await startBrowser();
  try {
    const { page } = await browser.open();
    await page.setContent(
      `<style>@font-face{font-family:'Inter Variable';src:url(data:font/woff2;base64,${font});font-weight:100 900}body{margin:0}svg{display:block}</style>${openGraphSvg()}`,
    );
    await page.evaluate('document.fonts.ready');
    const picture = await page.locator('svg').screenshot();
    expect(picture.length).toBeLessThan(maxBytes);
    await writeFile(resolve(import.meta.dirname, '../../server/design/open-graph.png'), picture);
  } finally {
    await browser.close();
  }
});
