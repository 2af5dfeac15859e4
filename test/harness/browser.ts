import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';

export interface TestBrowser {
  /** A page of a window of its own: its cookies are its own, and what goes wrong in it is kept in `problems`. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/** Real Chromium without a screen, unpacked into a folder of its own, so that files may run side by side. */
export async function startBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  let browser: Browser;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    browser = await chromium.launch({
      executablePath: await packed.executablePath(),
      args: ['--no-sandbox', '--disable-gpu'],
    });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return {
    async open(options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      return { page, problems };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What axe finds on the page or in one of its frames, each as its rule and where; an accessible page gives none. By all rules, or by `rules`. */
export async function accessibilityFaults(
  page: Pick<Frame, 'evaluate'>,
  rules: string[] | null = null,
): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async (options) => {
      interface Axe {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      }
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) },
  );
}
