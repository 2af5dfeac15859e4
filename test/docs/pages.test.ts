import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../../pipeline/errors.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { catalog } from '../../server/data/catalog.ts';
import { guideGroups, linkedFiles } from '../../server/docs/guides.ts';
import { renderMarkdown } from '../../server/docs/markdown.ts';
import { documents } from '../../server/docs/pages.ts';
import { packs } from '../../server/payments/packs.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { sourceDocuments } from './blocks.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const guides = guideGroups.flatMap((group) => group.guides);
const paths = Object.keys(documents('http://tidemark.test', new Map(), async () => new Map()));
const pages = [...paths.filter((path) => !/\.\w+$/.test(path)), '/v1/status'];

async function get(path: string) {
  const answer = await fetch(setup.base_url + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const texts = new Map<string, Promise<Awaited<ReturnType<typeof get>>>>();
/** Fetches a page of the documentation. Each address is fetched only once. */
function read(path: string) {
  const known = texts.get(path) ?? get(path);
  texts.set(path, known);
  return known;
}

/**
 * Returns the problem with a link on the page `from`, or null when its page and its anchor exist. Does not check links
 * to other sites.
 */
async function linkProblem(from: string, href: string): Promise<string | null> {
  const url = new URL(href, setup.base_url + from);
  if (url.origin !== setup.base_url) return null;
  const { status, text } = await read(url.pathname);
  // Accepts a redirect of the dashboard to its sign-in page.
  if (status !== 200 && !(status === 303 && url.pathname.startsWith('/dashboard')))
    return `${from}: ${href} is ${status}`;
  if (url.hash === '') return null;
  const page = url.pathname.endsWith('.md') ? (await read(url.pathname.replace(/\.md$/, ''))).text : text;
  return page.includes(`id="${decodeURIComponent(url.hash.slice(1))}"`) ? null : `${from}: ${href} has no such section`;
}

const linkProblems = async (links: readonly (readonly [from: string, href: string])[]) =>
  (await Promise.all(links.map(([from, href]) => linkProblem(from, href)))).filter((problem) => problem !== null);

describe('links in the documentation', () => {
  test.each(pages)('every link on the page %s leads to an existing page and section', async (path) => {
    const { status, text } = await read(path);
    expect(status).toBe(200);
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    expect(links.length).toBeGreaterThan(5);
    expect(await linkProblems(links.filter((href) => !href.startsWith('data:')).map((href) => [path, href]))).toEqual(
      [],
    );
  });

  test('every link in a Markdown document and in llms.txt leads to an existing page and section', async () => {
    const links: [string, string][] = [];
    for (const path of paths.filter((one) => /\.(?:md|txt)$/.test(one))) {
      const marked = new Marked();
      marked.walkTokens(marked.lexer((await read(path)).text), (token) => {
        // Leaves out llms-full.txt, because it repeats the links of the other documents.
        if (token.type === 'link' && path !== '/llms-full.txt') links.push([path, token.href]);
      });
    }
    expect(links.length).toBeGreaterThan(80);
    expect(await linkProblems(links)).toEqual([]);
  });

  test('every link in the README leads to an existing file', async () => {
    const [readme] = sourceDocuments;
    const links = [...(readme?.text ?? '').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    for (const path of links) expect(() => readFileSync(resolve(path)), path).not.toThrow(/ENOENT/);
    expect(links.length).toBeGreaterThan(5);
  });

  test('the link in an error body leads to the section of its error code', async () => {
    for (const code of Object.keys(errorTable)) expect(await linkProblem('/', `/docs/errors#${code}`)).toBeNull();
    const answer = await fetch(`${setup.base_url}/v1/photo/profile?handle=x`);
    const { error } = (await answer.json()) as { error: { documentation_url: string } };
    expect(error.documentation_url).toBe(`${setup.base_url}/docs/errors#INVALID_API_KEY`);
  });
});

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

describe('a document of the documentation', () => {
  test('every document exists as a page and as Markdown with the address of this service, and is in llms.txt and llms-full.txt', async () => {
    const [index, full] = await Promise.all([read('/llms.txt'), read('/llms-full.txt')]);
    for (const { name, label } of guides) {
      const [page, text] = await Promise.all([read(`/docs/${name}`), read(`/docs/${name}.md`)]);
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(text.text.split('\n')[0], name).toBe(`# ${label}`);
      for (const { text: shown } of [page, text])
        expect(shown).not.toMatch(/\{base_url\}|127\.0\.0\.1:8787(?!<?\/?\w*\|)/);
      expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">`);
      expect(index.text).toContain(`[${label}](${setup.base_url}/docs/${name}.md)`);
      expect(full.text).toContain(text.text.trimEnd());
    }
    expect(full.text).toContain((await read('/docs.md')).text.trimEnd());
    expect((await read('/docs.md')).text).toContain('/v1/photo/profile');
  });

  test('every page of the documentation has a strict content security policy and no inline script or style', async () => {
    for (const path of pages) {
      const { headers, text } = await read(path);
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; style-src 'self'; script-src 'self'",
      );
      expect(text).not.toMatch(/<script(?! src="\/(?:docs|assets)\/)|<style| style="| on\w+="/);
    }
  });

  test('every document has one first-level heading, and no link in a heading', () => {
    for (const { name, text } of sourceDocuments) {
      const headings = new Marked().lexer(text).filter(isHeading);
      expect(
        headings.filter(({ depth }) => depth === 1),
        name,
      ).toHaveLength(1);
      expect(headings.filter((heading) => /\]\(/.test(heading.text)).map((heading) => heading.text)).toEqual([]);
    }
  });

  test('a document shows raw HTML as text, and has no links with unsafe schemes', () => {
    const { html } = renderMarkdown(
      '# A\n\n<script>alert(1)</script>\n\na <b onclick="x">b</b> ![i](https://x.example/i.png) [j](javascript:alert(1)) [d](data:text/html,x) [p](//evil.example)\n\n```"><img src=x>\n<i>\n```\n',
    );
    expect(
      html.replace(
        /<\/?(?:h1|p|figure|figcaption|button|pre|code)\b(?: (?:class|type|data-copy|id|tabindex)="[\w-]*")*>/g,
        '',
      ),
    ).not.toMatch(/[<>]/);
    for (const href of [
      'javascript:alert(1)',
      'JavaScript:x',
      'data:text/html,x',
      '//evil.example',
      'vbscript:x',
      '/\\evil.example',
      '..//evil.example',
    ])
      expect(renderMarkdown(`[a](<${href}>)`).html).toBe('<p>a</p>\n');
  });

  test('a document can link to files of the repository, which are served as plain text with the address of the server', async () => {
    for (const path of linkedFiles) {
      const { headers, text } = await read(`/${path}`);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const file = readFileSync(resolve(path), 'utf8');
      expect(file).toContain('Server = "https://social.example"');
      expect(text).toBe(file.replaceAll('https://social.example', setup.base_url));
    }
  });
});

describe('the reference of the documentation', () => {
  test('the documentation of errors has status, cause, advice, charge and retry for every code', async () => {
    const text = (await read('/docs/errors.md')).text;
    for (const [code, { status, retryable, message, cause, to_do }] of Object.entries(errorTable)) {
      const section = text.split(`\n## ${code}\n`)[1]?.split('\n## ')[0] ?? expect.fail(code);
      for (const part of [`*${status}.* ${message}`, cause, to_do, '**Charged**: no']) expect(section).toContain(part);
      expect(section).toContain(retryable ? 'can succeed soon' : 'does not help');
    }
  });

  test('the documentation of limits agrees with the tiers and packs', async () => {
    const text = (await read('/docs/limits.md')).text;
    const row = (label: string) =>
      new RegExp(`^\\| ${label} \\|(.+)\\|$`, 'm')
        .exec(text)?.[1]
        ?.split('|')
        .map((cell) => cell.trim().replaceAll(',', ''));
    const every = Object.values(tiers);
    const limits = [
      ['tracked items', 'tracked_items'],
      ['tracking lists', 'tracking_lists'],
      ['history in days', 'history_days'],
      ['campaigns, active or paused', 'campaigns'],
      ['profiles in one bulk analysis', 'batch_urls'],
    ] as const;
    for (const [label, limit] of limits) expect(row(label), label).toEqual(every.map((tier) => String(tier[limit])));
    expect(row('daily checks')).toEqual(every.map(({ daily_checks }) => (daily_checks ? 'yes' : 'no')));
    expect(row('custom report name')).toEqual(every.map(({ report_name }) => (report_name ? 'yes' : 'no')));
    const bought = Object.values(packs);
    expect(row('credits')).toEqual(['100', ...bought.map(({ credits }) => String(credits))]);
    expect(row('price \\(once, without tax\\)')).toEqual([
      'free',
      ...bought.map(({ price_usd }) => `USD ${price_usd}`),
    ]);
  });

  test('no document contains the markers of an unresolved merge', () => {
    const changelog = { name: 'CHANGELOG.md', text: readFileSync(resolve('CHANGELOG.md'), 'utf8') };
    const unresolved = [...sourceDocuments, changelog].filter(({ text }) => /^(?:<{7} |={7}$|>{7} )/m.test(text));
    expect(unresolved.map(({ name }) => name)).toEqual([]);
  });

  test.each([
    ['/docs/openapi.json', '/openapi.json'],
    ['/docs/endpoints', '/docs/api'],
  ])('the address %s, which the file names of the repository suggest, leads to %s', async (path, target) => {
    const { status, headers } = await fetch(setup.base_url + path, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([308, target]);
  });

  test('the documentation of routes is complete in the reference, in its Markdown and in llms.txt', async () => {
    const [page, text, index] = await Promise.all([read('/docs/api'), read('/docs.md'), read('/llms.txt')]);
    for (const { path, summary, cost, required } of catalog) {
      expect(page.text).toContain(`href="/docs/api${path}"`);
      expect((await read(`/docs/api${path}`)).text).toContain(`GET ${path}`);
      expect(text.text).toContain(`| ${path} |`);
      expect(index.text).toContain(`GET ${path}?`);
      const line = index.text.split('\n').find((one) => one.includes(`GET ${path}?`));
      for (const name of Object.keys(required ?? {})) expect(line).toContain(`&${name}=`);
      expect(line).toContain(cost === 1 ? '(1 credit,' : `(${cost} credits,`);
      expect(text.text).toContain(summary);
    }
  });
});
