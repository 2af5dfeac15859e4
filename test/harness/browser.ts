import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import project from '../../package.json' with { type: 'json' };

export interface TestBrowser {
  /** A page of a window of its own: its cookies are its own, and what goes wrong in it is kept in `problems`. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/** Kept between runs: unpacking takes several seconds. */
const unpackedFolder = join(
  import.meta.dirname,
  `../../node_modules/.cache/chromium-${project.devDependencies['@sparticuz/chromium']}`,
);

/** Starts a real Chromium without a screen. */
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

// Two files may need it first at the same time: each unpacks for itself, and one of the two folders is kept.
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
