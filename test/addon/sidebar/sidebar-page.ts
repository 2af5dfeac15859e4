import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults, type TestBrowser } from '../../harness/browser.ts';
import type { People } from '../harness/file.ts';
import { answerCalls } from './answer-calls.ts';
import { openFileInThread, type ThreadedFile } from './file-worker.ts';

/** The sandbox attributes of the frame in which Google shows a sidebar, as Google documents them. */
const sandbox =
  'allow-same-origin allow-forms allow-scripts allow-popups allow-downloads allow-modals allow-popups-to-escape-sandbox';
/**
 * Time limit (ms) for the page to reach a state. Shorter than the limit of a test, so that the error names the missing
 * state.
 */
const stateTimeoutMs = 20_000;
const host = 'https://sheet.example';
const onePerson: People = { owner: 'owner@example.com', user: 'owner@example.com' };

/**
 * Defines `google.script.run` in the page. Setting a handler starts a new chain; calling a function runs it in the
 * spreadsheet thread.
 */
const shim = `(() => {
  const sidebar = String(performance.timeOrigin + Math.random());
  const chain = (success, failure) => new Proxy({}, {
    get: (_, name) => {
      if (name === 'withSuccessHandler') return (handler) => chain(handler, failure);
      if (name === 'withFailureHandler') return (handler) => chain(success, handler);
      return (...args) => {
        if (args.some((arg) => typeof arg === 'function' || arg instanceof Date)) throw new TypeError('No such argument');
        window.runInFile(sidebar, String(name), JSON.stringify(args)).then(
          (text) => { const reply = JSON.parse(text); 'error' in reply ? failure(new Error(reply.error)) : success(reply.value); },
        ).finally(() => setTimeout(() => window.answerHandled(sidebar)));
      };
    },
  });
  window.google = { script: { run: chain(() => {}, () => {}) } };
})();`;

export type OpenSidebar = {
  file: ThreadedFile;
  page: Page;
  sidebar: FrameLocator;
  problems: string[];
  /** The names of all functions that the sidebar has called so far. */
  calls: string[];
  /**
   * Delays the answers to calls of this add-on function that begin from now on, until the returned function is called.
   * A later `hold` of the same function takes over the calls that begin after it.
   */
  hold: (name: string) => () => void;
  /** Ends all delays that `hold` started. */
  releaseAll: () => void;
  /**
   * Waits until the sidebar has handled the answers to all calls that are not held, including calls that follow from
   * these.
   */
  handled: () => Promise<void>;
  /** Waits until the timers that the sidebar has already set for at most this many milliseconds have run. */
  timersRun: (ms: number) => Promise<void>;
  /** Makes the next call of this add-on function fail, as when Google is unreachable. */
  lose: (name: string) => void;
  /**
   * Runs the next call of this add-on function but loses its answer, as when the connection breaks before the answer
   * arrives.
   */
  loseAnswer: (name: string) => void;
  /** Replaces the answer to the next call of this add-on function. */
  reply: (name: string, value: unknown) => void;
  /** Closes the sidebar and opens it again. */
  reopen: () => Promise<void>;
  faults: () => Promise<string[]>;
  close: () => Promise<void>;
};

/** Opens the built sidebar of a file in a frame like Google's, 300 px wide. */
export async function openSidebar(
  browser: TestBrowser,
  dist: string,
  people = onePerson,
  look: BrowserContextOptions = {},
): Promise<OpenSidebar> {
  const file = await openFileInThread(dist, people);
  const { page, problems } = await browser.open({ viewport: { width: 300, height: 720 }, ...look });
  page.setDefaultTimeout(stateTimeoutMs);
  const answers = answerCalls(file);
  await page.exposeFunction('runInFile', answers.run);
  await page.exposeFunction('answerHandled', answers.handled);
  await page.addInitScript(shim);
  await file.ask('call', 'openSidebar_');
  const added = (await file.ask('world')).ui.sidebar?.added ?? '';
  const html = (await readFile(join(dist, 'Sidebar.html'), 'utf8')) + added;
  await page.route(`${host}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: route.request().url().endsWith('/frame') ? html : outer,
    }),
  );
  await page.goto(`${host}/`);
  const sidebar = page.frameLocator('iframe');
  const timersRun = (ms: number) =>
    sidebar.locator('body').evaluate((_, delay) => new Promise<void>((resolve) => setTimeout(resolve, delay)), ms);
  return {
    ...{ file, page, problems, sidebar, timersRun },
    ...{
      calls: answers.calls,
      hold: answers.hold,
      releaseAll: answers.releaseAll,
      lose: answers.lose,
      loseAnswer: answers.loseAnswer,
      reply: answers.reply,
    },
    async handled() {
      // Waits until the calls that the last click caused have begun.
      await timersRun(0);
      await expect.poll(answers.unhandled).toBe(0);
    },
    async reopen() {
      answers.forget();
      await page.reload();
    },
    async faults() {
      const frame = page.frame({ url: `${host}/frame` });
      return frame === null ? ['There is no sidebar'] : accessibilityFaults(frame);
    },
    async close() {
      await page.context().close();
      await file.close();
    },
  };
}

const outer = `<!doctype html><html lang="en"><title>Sheet</title><style>body { margin: 0 } iframe { display: block; width: 300px; height: 100vh; border: 0 }</style>
<iframe title="Sidebar" sandbox="${sandbox}" src="/frame"></iframe></html>`;
