import { expect } from 'vitest';
import type { DashboardSetup, Member } from './dashboard-server.ts';

/** A POST form on a page, with its named fields. */
export interface ShownForm {
  action: string;
  fields: [string, string][];
}

/** Maximum number of pages that `crawl` opens. */
const maxPages = 100;

/**
 * Returns the paths of all pages and forms of the dashboard. Reads the paths from the server's routes, so that new
 * pages are tested too. Leaves out the pages for operators, which people/rules.test.ts opens.
 */
export function dashboardPaths({ routes }: DashboardSetup): { pages: string[]; forms: string[] } {
  const of = (wanted: string) =>
    routes
      .filter(({ method, path }) => method === wanted && path.startsWith('/dashboard') && !/\*|\/admin/.test(path))
      .map(({ path }) => path);
  return { pages: of('GET'), forms: of('POST') };
}

/** Returns the names of the `:name` parameters in a path. */
export function openParts(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
}

/**
 * Replaces the `:name` parameters of a path with ids. Throws for a name without an id in test/dashboard/populated.ts.
 */
export function filled(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(
    /:(\w+)/g,
    (_, name) => ids[name] ?? expect.fail(`populated.ts has no id for :${name} in ${path}`),
  );
}

const unescaped: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => unescaped[entity] ?? entity);

/** Returns the POST forms of a page with their named fields. */
export function formsIn(page: string): ShownForm[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, tag = '']) => /method="post"/.test(tag))
    .map(([, tag = '', content = '']) => {
      const inputs = [...content.matchAll(/<(?:input|button)\b[^>]*?\bname="([^"]+)"[^>]*>/g)];
      const choices = [...content.matchAll(/<select\b[^>]*?\bname="([^"]+)".*?<\/select>/gs)];
      const texts = [...content.matchAll(/<textarea\b[^>]*?\bname="([^"]+)"[^>]*>(.*?)<\/textarea>/gs)];
      const fields: [string, string][] = [
        ...inputs.map(([input, name = '']): [string, string] => [
          name,
          plain(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? ''),
        ]),
        ...choices.flatMap(([choice, name = '']): [string, string][] =>
          [...choice.matchAll(/<option\b[^>]*?\bvalue="([^"]*)"/g)].map(([, value = '']) => [name, plain(value)]),
        ),
        ...texts.map(([, name = '', value = '']): [string, string] => [name, plain(value)]),
      ];
      return { action: plain(/action="([^"]*)"/.exec(tag)?.[1] ?? ''), fields };
    });
}

/** Opens all dashboard pages of a member, and all dashboard pages that these link to. Returns the pages by path. */
export async function crawl(
  setup: DashboardSetup,
  member: Member,
  ids: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const seen = new Set(dashboardPaths(setup).pages.map((path) => filled(path, ids)));
  for (let next = [...seen]; next.length > 0; ) {
    const links = await each(next, async (path) => {
      const answer = await member.get(path);
      const body = await answer.text();
      if (answer.status === 303) return [];
      found.set(path, body);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) return [];
      return [...body.matchAll(/<a\b[^>]*?href="(\/dashboard[^"#]*)"/g)].map(([, href = '']) => plain(href));
    });
    next = [...new Set(links.flat())].filter((path) => !seen.has(path)).slice(0, maxPages - seen.size);
    for (const path of next) seen.add(path);
  }
  return found;
}

const atOnce = 6;

/** Runs `work` for every item, several at a time, and returns the results in order. */
export async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
