import { html, raw } from 'hono/html';
import { endpointsMarkdown } from './endpoints.ts';
import { type Guide, guideGroups, guidesMarkdown, guideText, linkedFiles, repositoryFile } from './guides.ts';
import { type Html, layout } from './layout.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { type Rendered, renderMarkdown } from './markdown.ts';
import { referencePage } from './reference.ts';

export interface Document {
  body: string | Html | Promise<Html>;
  type: 'text/html' | 'text/markdown' | 'text/plain';
}

/** Every document by its path: the reference, each guide as a page and as Markdown, and all of it for machines that read. */
export function documents(baseUrl: string): Record<string, Document> {
  const reference = markdown(endpointsMarkdown());
  const made: Record<string, Document> = {
    '/docs': page(referencePage(baseUrl)),
    '/docs.md': reference,
    '/docs/endpoints.md': reference,
    '/docs/guides': page(textPage({ name: 'guides', text: guidesMarkdown() })),
    '/docs/guides.md': markdown(guidesMarkdown()),
    '/llms.txt': { body: llmsText(baseUrl), type: 'text/plain' },
    '/llms-full.txt': { body: llmsFullText(baseUrl), type: 'text/plain' },
  };
  for (const guide of guideGroups.flatMap(({ guides }) => guides)) {
    const text = guideText(guide, baseUrl);
    made[`/docs/${guide.name}`] = page(textPage({ name: guide.name, text }));
    made[`/docs/${guide.name}.md`] = markdown(text);
  }
  for (const path of linkedFiles) made[`/${path}`] = { body: repositoryFile(path), type: 'text/plain' };
  return made;
}

const page = (body: Document['body']): Document => ({ body, type: 'text/html' });
const markdown = (body: string): Document => ({ body, type: 'text/markdown' });

function textPage({ name, text }: { name: string; text: string }): Html | Promise<Html> {
  const rendered = renderMarkdown(text, labels);
  const content = html`<article class="text">${raw(rendered.html)}</article>`;
  return layout(rendered.title, `/docs/${name}`, content, {
    side: guideMenu(name, rendered),
    markdown: `/docs/${name}.md`,
  });
}

/** What menus call a document, by the file that links name. */
const labels: ReadonlyMap<string, string> = new Map([
  ['endpoints.md', 'Reference'],
  ...guideGroups.flatMap(({ guides }) => guides.map(({ name, label }) => [`${name}.md`, label] as const)),
]);

/** More sections than these are not listed beside a page. */
const maxSections = 12;

function guideMenu(here: string, { sections }: Rendered): Html | Promise<Html> {
  const inside =
    here === 'guides' || sections.length > maxSections || sections.length === 0
      ? ''
      : html`<ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
  const item = ({ name, label }: Guide) =>
    name === here
      ? html`<li><a href="/docs/${name}" aria-current="page">${label}</a>${inside}</li>`
      : html`<li><a href="/docs/${name}">${label}</a></li>`;
  return html`<nav class="side" aria-label="Guides">${guideGroups.map(
    ({ title, guides }) => html`<h2>${title}</h2><ul>${guides.map(item)}</ul>`,
  )}</nav>`;
}
