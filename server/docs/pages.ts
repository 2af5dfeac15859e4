import { html, raw } from 'hono/html';
import { catalog } from '../data/catalog.ts';
import type { Route } from '../data/route.ts';
import type { FieldFigures } from '../status/field-figures.ts';
import { type Guide, guideGroups, guidesMarkdown, guideText, linkedFile, linkedFiles, startGuide } from './guides.ts';
import { type Html, layout } from './layout.ts';
import type { Rendered } from './markdown.ts';
import type { Picture } from './pictures.ts';
import type { LiveFigures } from './reference/field-accuracy.ts';
import { routeAddress } from './reference/menu.ts';

export interface Document {
  render(): string | Html | Promise<string | Html>;
  type: 'text/html' | 'text/markdown' | 'text/plain';
  /** True for a page that shows current figures. The server renders such a page again for each request. */
  live?: boolean;
}

/**
 * Returns every document by its path: the reference and the guides, as pages, as Markdown, and as text for language
 * models. `render` returns the text of a document, and loads the modules that it needs: a server that only answers API
 * requests never loads them.
 */
export function documents(
  baseUrl: string,
  pictures: ReadonlyMap<string, Picture>,
  fieldFigures: () => Promise<FieldFigures>,
): Record<string, Document> {
  const textPage = async (name: string, text: string) => {
    const { renderMarkdown } = await import('./markdown.ts');
    return guidePage(name, renderMarkdown(text, { labels, pictures }), baseUrl);
  };
  const reference = (folder?: 'docs/') =>
    markdown(async () => (await import('./endpoints.ts')).endpointsMarkdown(folder));
  const byPath: Record<string, Document> = {
    '/docs': page(() => textPage('start', guideText(startGuide, baseUrl))),
    '/docs/api': page(async () => (await import('./reference/page.ts')).referencePage(baseUrl)),
    '/docs.md': reference('docs/'),
    '/docs/endpoints.md': reference(),
    '/docs/guides': page(() => textPage('guides', guidesMarkdown())),
    '/docs/guides.md': markdown(guidesMarkdown),
    '/llms.txt': { render: async () => (await import('./llms.ts')).llmsText(baseUrl), type: 'text/plain' },
    '/llms-full.txt': { render: async () => (await import('./llms.ts')).llmsFullText(baseUrl), type: 'text/plain' },
  };
  for (const guide of guideGroups.flatMap(({ guides }) => guides)) {
    const text = () => guideText(guide, baseUrl);
    byPath[`/docs/${guide.name}`] = page(() => textPage(guide.name, text()));
    byPath[`/docs/${guide.name}.md`] = markdown(text);
  }
  for (const route of catalog) {
    const render = async () => {
      const { routePage } = await import('./reference/route-page.ts');
      return routePage(route, baseUrl, await liveFigures(route, fieldFigures));
    };
    byPath[routeAddress(route.path)] = { ...page(render), live: true };
  }
  for (const path of linkedFiles) byPath[`/${path}`] = { render: () => linkedFile(path, baseUrl), type: 'text/plain' };
  return byPath;
}

/**
 * Returns how often this server got each field of a route's record. Returns null when the database cannot be reached.
 * The page is then shown without these figures.
 */
async function liveFigures(route: Route, fieldFigures: () => Promise<FieldFigures>): Promise<LiveFigures> {
  if (route.availability === 'planned') return [];
  const figures = await fieldFigures().catch(() => null);
  return figures && (figures.get(route.collector.name) ?? []);
}

const page = (render: Document['render']): Document => ({ render, type: 'text/html' });
const markdown = (render: Document['render']): Document => ({ render, type: 'text/markdown' });

function guidePage(name: string, rendered: Rendered, baseUrl: string): Html | Promise<Html> {
  const content = html`<article class="text">${raw(rendered.html)}</article>`;
  return layout(rendered.title, `/docs/${name}`, content, {
    side: guideMenu(name, rendered),
    markdown: `/docs/${name}.md`,
    preview: { description: abouts.get(name) ?? 'All guides of Tidemark.', base_url: baseUrl },
  });
}

/** Name of each document in menus, by its file name. */
const labels: ReadonlyMap<string, string> = new Map([
  ['endpoints.md', 'API reference'],
  ...guideGroups.flatMap(({ guides }) => guides.map(({ name, label }) => [`${name}.md`, label] as const)),
]);

/** One sentence about each document, by its name. */
const abouts: ReadonlyMap<string, string> = new Map(
  guideGroups.flatMap(({ guides }) => guides.map(({ name, about }) => [name, about] as const)),
);

/** Maximum number of sections that the menu lists for a page. For a page with more sections, the menu lists none. */
const maxSections = 12;

function guideMenu(here: string, { sections }: Rendered): Html | Promise<Html> {
  const sectionList =
    here === 'guides' || sections.length > maxSections || sections.length === 0
      ? ''
      : html`<ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
  const item = ({ name, label }: Guide) =>
    name === here
      ? html`<li><a href="/docs/${name}" aria-current="page">${label}</a>${sectionList}</li>`
      : html`<li><a href="/docs/${name}">${label}</a></li>`;
  return html`<nav class="side" aria-label="Guides">${guideGroups.map(
    ({ title, guides }) => html`<h2>${title}</h2><ul>${guides.map(item)}</ul>`,
  )}</nav>`;
}
