import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core';
import project from '../../package.json' with { type: 'json' };

/** The axe script, which checks accessibility. The minified script runs twice as fast on a page. */
export const axeScript = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
/** Path of the axe script on the test servers in `axeOrigins`. */
export const axePath = '/test-files/axe.min.js';
/**
 * Origins of the test servers that serve the axe script. The browser caches the compiled form of a script from a
 * server, but compiles an injected script again on each page.
 */
export const axeOrigins = new Set<string>();

export interface TestBrowser {
  /** Opens a page with its own cookies. `problems` collects the page's script errors and console errors. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/**
 * The folder with the unpacked Chromium. The folder stays between test runs, because unpacking takes several seconds.
 */
const unpackedFolder = join(
  import.meta.dirname,
  `../../node_modules/.cache/chromium-${project.devDependencies['@sparticuz/chromium']}`,
);

/** The Chromium of this test worker. Chromium ends with the worker's process. */
let launched: Promise<Browser> | null = null;

/**
 * Opens a real headless Chromium. The test files of a worker share this browser, one after the other, but each page has
 * its own cookies.
 */
export async function startBrowser(): Promise<TestBrowser> {
  if (!(await launched)?.isConnected()) launched = launch();
  const browser = await (launched as Promise<Browser>);
  const contexts: BrowserContext[] = [];
  return {
    async open(options = {}) {
      const context = await browser.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      return { page, problems };
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = join(unpackedFolder, 'chromium');
  if (!existsSync(executablePath)) await unpack();
  // Options that save time on test pages, which are open for about a second. `--js-flags` turns off the optimizing
  // compilers, which would take longer than they save. The other options avoid starting processes: the browser's own
  // process draws, and one process opens all pages of a test.
  const processes = ['--in-process-gpu', '--renderer-process-limit=1', '--process-per-site'];
  const args = ['--no-sandbox', '--disable-gpu', ...processes, '--js-flags=--no-opt --no-maglev'];
  return chromium.launch({ executablePath, args });
}

// Unpacks Chromium into a temporary folder and renames that folder. When two test files unpack at the same time, only
// one of their folders is kept.
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

/** Loads axe, which checks accessibility, into a page or frame unless axe is already loaded there. */
async function loadAxe(page: Pick<Frame, 'evaluate' | 'url'>): Promise<void> {
  if (!axeOrigins.has(new URL(page.url()).origin)) {
    if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axeScript);
    return;
  }
  await page.evaluate(
    `typeof axe === 'object' || new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.onload = resolve;
      script.onerror = () => reject(new Error('axe was not loaded'));
      script.src = '${axePath}';
      document.head.append(script);
      script.remove();
    })`,
  );
}

/**
 * Returns the accessibility faults that axe finds on a page or frame, each with its rule and HTML. Without `rules`,
 * checks all rules.
 */
export async function accessibilityFaults(
  page: Pick<Frame, 'evaluate' | 'url'>,
  rules: string[] | null = null,
): Promise<string[]> {
  await loadAxe(page);
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

/**
 * Returns the table cells whose content covers another cell, each with its label and text. On a phone, the rows of
 * many tables are cards with several cells in one line.
 */
function coveredCells(page: Pick<Frame, 'evaluate'>): Promise<string[]> {
  return page.evaluate(() => {
    type Box = Record<'left' | 'right' | 'top' | 'bottom', number>;
    interface Cell {
      textContent: string;
      dataset: { label?: string };
      closest(selector: string): Cell | null;
      checkVisibility(): boolean;
      querySelectorAll(selector: string): Iterable<Cell>;
      getClientRects(): Iterable<Box>;
      childNodes: Iterable<{ nodeType: number }>;
    }
    const { document } = globalThis as unknown as {
      document: {
        querySelectorAll(selector: string): Iterable<{ cells: Iterable<Cell> }>;
        createRange(): { selectNodeContents(node: object): void; getClientRects(): Iterable<Box> };
      };
    };
    const textNode = 3;
    const controls = new Set(['INPUT', 'SELECT', 'BUTTON', 'IMG', 'svg']);
    const boxesOf = (element: Cell & { tagName?: string }): Box[] => {
      if (controls.has(element.tagName ?? '')) return [...element.getClientRects()];
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === textNode);
      return texts.flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      });
    };
    const contentOf = (cell: Cell) =>
      [cell, ...cell.querySelectorAll(':not(option, details:not([open]))')]
        .filter((part) => part.checkVisibility() && !part.closest('.hidden'))
        .flatMap(boxesOf);
    const overlap = (a: Box, b: Box) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return [...document.querySelectorAll('tbody tr')].flatMap((row) => {
      const cells = [...row.cells].map((cell) => ({ cell, content: contentOf(cell) }));
      return cells.flatMap(({ cell, content }, index) => {
        const others = cells.slice(index + 1).flatMap((other) => other.content);
        const covered = content.some((box) => others.some((other) => overlap(box, other)));
        return covered ? [`${cell.dataset.label}: ${cell.textContent.trim().slice(0, 80)}`] : [];
      });
    });
  });
}

/**
 * Returns the faults of a page that users would notice: accessibility faults, sideways scrolling, and table cells that
 * cover each other.
 */
export async function pageFaults(
  page: Pick<Frame, 'evaluate' | 'url'>,
  rules: string[] | null = null,
): Promise<string[]> {
  const root = 'document.documentElement';
  const hiddenPixels = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  return [
    ...(hiddenPixels > 0 ? [`scrolls sideways by ${hiddenPixels} px`] : []),
    ...(await coveredCells(page)).map((cell) => `a cell covers another one: ${cell}`),
    ...(await accessibilityFaults(page, rules)),
  ];
}

/** Returns the {@link pageFaults} of a page at the widths of a phone and of a desktop. */
export async function faultsAtEachWidth(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    faults.push(...(await pageFaults(page)));
  }
  return faults;
}
