import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import project from '../../package.json' with { type: 'json' };

export interface TestBrowser {
  /** Opens a page with its own cookies; its script and console errors are collected in `problems`. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/** Kept between runs, because unpacking takes several seconds. */
const unpackedFolder = join(
  import.meta.dirname,
  `../../node_modules/.cache/chromium-${project.devDependencies['@sparticuz/chromium']}`,
);

/** Starts a real headless Chromium. */
export async function startBrowser(): Promise<TestBrowser> {
  const executablePath = join(unpackedFolder, 'chromium');
  if (!existsSync(executablePath)) await unpack();
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
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
    close: () => browser.close(),
  };
}

// Two test files may unpack at the same time: each uses its own folder, and one of the two is kept.
async function unpack(): Promise<void> {
  await mkdir(dirname(unpackedFolder), { recursive: true });
  const folder = await mkdtemp(`${unpackedFolder}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(folder, unpackedFolder).catch(() => rm(folder, { recursive: true, force: true }));
}

/** Returns the accessibility faults that axe finds on a page or frame, each with its rule and HTML. Checks all rules, or only `rules`. */
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
