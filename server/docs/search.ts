import { html } from 'hono/html';
import MiniSearch from 'minisearch';
import { catalog } from '../data/catalog.ts';
import { guideGroups, guideText } from './guides.ts';
import { type Html, layout } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { fieldsOf } from './reference/fields.ts';
import { routeAddress } from './reference/menu.ts';

/** A page or a section of a page that a search can find. */
interface Entry {
  id: string;
  title: string;
  page: string;
  text: string;
}

const maxResults = 20;
const maxQueryLength = 100;
const shownCharacters = 160;

/** Creates the search page of the documentation. The index is made at the first search. */
export function createDocsSearch(baseUrl: string): (query: string) => Html | Promise<Html> {
  let index: MiniSearch<Entry> | null = null;
  return (query) => {
    index ??= indexOf(baseUrl);
    const words = query.trim().slice(0, maxQueryLength);
    const found = words === '' ? [] : index.search(words).slice(0, maxResults);
    const results = found.map(
      ({ id, title, page, text }) =>
        html`<li><a href="${id}">${title}</a> <span class="hint">${page}</span><p>${excerpt(text, words)}</p></li>`,
    );
    return layout(
      words === '' ? 'Search' : `Search: ${words}`,
      '/docs/search',
      html`<h1>Search the documentation</h1>
<form class="search" action="/docs/search" role="search" aria-label="This page"><input type="search" name="q" value="${words}" maxlength="${maxQueryLength}" aria-label="Search the documentation"><button>Search</button></form>
${words !== '' && found.length === 0 ? html`<p>Nothing found for “${words}”. Try another word, or look at <a href="/docs/guides">all guides</a> and <a href="/docs/api">all routes</a>.</p>` : html`<ul class="results">${results}</ul>`}`,
    );
  };
}

function indexOf(baseUrl: string): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll([...routeEntries(), ...guideEntries(baseUrl)]);
  return index;
}

function routeEntries(): Entry[] {
  return catalog.map((route) => {
    const fields = route.availability === 'planned' ? [] : fieldsOf(route.collector.record);
    const text = [route.path, ...Object.keys(route.identifiers), ...fields.map(({ name }) => name)].join(' ');
    return { id: routeAddress(route.path), title: route.summary, page: 'Reference', text };
  });
}

/** Returns one entry for each section of each guide, so that a result opens at the right place. */
function guideEntries(baseUrl: string): Entry[] {
  return guideGroups.flatMap(({ guides }) =>
    guides.flatMap((guide) => {
      const [opening = '', ...parts] = guideText(guide, baseUrl).split(/\n(?=## )/);
      const { sections } = renderMarkdown([opening, ...parts].join('\n'));
      const address = `/docs/${guide.name}`;
      const page = guide.label;
      const first = { id: address, title: guide.label, page: guide.about, text: plain(opening) };
      if (parts.length !== sections.length) return [{ ...first, text: plain([opening, ...parts].join('\n')) }];
      const rest = sections.map(({ id, title }, number) => {
        return { id: `${address}#${id}`, title, page, text: plain(parts[number] ?? '') };
      });
      return [first, ...rest];
    }),
  );
}

/** Returns Markdown without headings and marks. */
const plain = (text: string) =>
  text
    .replace(/^#.*$/gm, '')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[`*|[\]!]|^-+$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the part of a text around the first word of the query. */
function excerpt(text: string, query: string): string {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? '');
  const from = Math.max(0, at - shownCharacters / 4);
  const part = text.slice(from, from + shownCharacters);
  return `${from > 0 ? '…' : ''}${part}${from + shownCharacters < text.length ? '…' : ''}`;
}
