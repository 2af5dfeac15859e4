import { html } from 'hono/html';
import MiniSearch, { type SearchResult } from 'minisearch';
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
  /** Words that people may search for, but that the page itself does not use. */
  everyday?: string;
}

const maxResults = 20;
const maxQueryLength = 100;
/** Maximum number of different words of a query. Anyone can search, and each word takes CPU time. */
const maxWords = 10;
/**
 * Minimum length of a word that also finds longer words beginning with it. Almost every entry has a word that begins
 * with a given letter.
 */
const minPrefixLength = 2;
const shownCharacters = 160;
/** When fewer entries than this contain all words of a query, entries that contain some of the words are added. */
const fewResults = 5;

/** Returns a function that renders the search page for a query. The search index is created at the first search. */
export function createDocsSearch(baseUrl: string): (query: string) => Html | Promise<Html> {
  let index: MiniSearch<Entry> | null = null;
  return (query) => {
    index ??= indexOf(baseUrl);
    const words = query.trim().slice(0, maxQueryLength);
    const found = words === '' ? [] : resultsOf(index, words);
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

/** Pages outside of the documentation that answer everyday questions. */
const otherPages: readonly Entry[] = [
  {
    id: '/prices',
    title: 'Prices, credits and tiers',
    page: 'What each answer costs, and what each tier includes.',
    text: 'Credits pay for answers. A tier limits tracked items, lists, campaigns and history. Packs are credits that you buy, where online payment is on.',
    everyday: 'how much does it cost price pay payment buy add credits change upgrade tier plan subscription month',
  },
  {
    id: '/addon',
    title: 'Get the add-on',
    page: 'Every way to get numbers into Google Sheets or Excel.',
    text: 'Copy the add-on into a spreadsheet, download the Excel workbook, or create a data link.',
    everyday: 'install get add-on addon plugin extension download workbook',
  },
];

/** Words that people may search for, but that the guide itself does not use, by the name of the guide. */
const everydayWords: Readonly<Record<string, string>> = {
  sandbox: 'test try without paying free fake dummy data',
  dashboard: 'forgot password team colleague invite user login',
  reports: 'send report client customer pdf share logo brand monday',
  alerts: 'notify notification slack stop unsubscribe emails mail drop',
  credits: 'cost price billing charged pay twice',
  export: 'delete cancel close gdpr',
  operating: 'backup mail server smtp settings',
};

/** Common English words that a search ignores, because they say nothing about the subject of a question. */
const questionWords: ReadonlySet<string> = new Set(
  'a an and any are as at be by can could do does for from get have how i if in is it its me my of on or our so some that the their there these they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/**
 * Returns the search results for a query, which may be a question. Entries that contain all words come first. If there
 * are few, entries with some of the words follow. Common words such as "how" are ignored when the query has other
 * words.
 */
function resultsOf(index: MiniSearch<Entry>, query: string): SearchResult[] {
  const all = [...new Set(query.split(/\s+/))];
  const telling = all.filter((word) => !questionWords.has(word.toLowerCase().replace(/[^a-z]/g, '')));
  const words = (telling.length > 0 ? telling : all).slice(0, maxWords).join(' ');
  const exact = index.search(words);
  const known = new Set(exact.map(({ id }) => id));
  const some = exact.length < fewResults ? index.search(words, { combineWith: 'OR' }) : [];
  return [...exact, ...some.filter(({ id }) => !known.has(id))].slice(0, maxResults);
}

function indexOf(baseUrl: string): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text', 'everyday'],
    storeFields: ['title', 'page', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2, everyday: 3 },
      prefix: (word) => word.length >= minPrefixLength,
      fuzzy: 0.15,
      combineWith: 'AND',
      // Ranks the changelog lower, because it contains almost every word, but the other documents describe the current
      // version.
      boostDocument: (id) => (String(id).startsWith('/docs/changelog') ? 0.1 : 1),
    },
  });
  index.addAll([...otherPages, ...routeEntries(), ...guideEntries(baseUrl)]);
  return index;
}

function routeEntries(): Entry[] {
  return catalog.map((route) => {
    const fields = route.availability === 'planned' ? [] : fieldsOf(route.collector.record);
    const text = [route.path, ...Object.keys(route.identifiers), ...fields.map(({ name }) => name)].join(' ');
    return { id: routeAddress(route.path), title: route.summary, page: 'API reference', text };
  });
}

/** Returns one entry for each section of each guide, so that a search result opens at the matching section. */
function guideEntries(baseUrl: string): Entry[] {
  return guideGroups.flatMap(({ guides }) =>
    guides.flatMap((guide) => {
      const [opening = '', ...parts] = guideText(guide, baseUrl).split(/\n(?=## )/);
      const { sections } = renderMarkdown([opening, ...parts].join('\n'));
      const address = `/docs/${guide.name}`;
      const page = guide.label;
      const everyday = everydayWords[guide.name] ?? '';
      const first = { id: address, title: guide.label, page: guide.about, text: plain(opening), everyday };
      if (parts.length !== sections.length) return [{ ...first, text: plain([opening, ...parts].join('\n')) }];
      const rest = sections.map(({ id, title }, number) => {
        return { id: `${address}#${id}`, title, page, text: plain(parts[number] ?? '') };
      });
      return [first, ...rest];
    }),
  );
}

/** Returns Markdown as plain text, without headings and formatting characters. */
const plain = (text: string) =>
  text
    .replace(/^#.*$/gm, '')
    .replace(/^\|[-|: ]+$/gm, '')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[`*|[\]!]|^-+$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the part of a text around the first word of the query, in whole words. */
function excerpt(text: string, query: string): string {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? '');
  const from = Math.max(0, at - shownCharacters / 4);
  const end = from + shownCharacters;
  const part = text.slice(from, end);
  const begun = from > 0 ? `…${part.replace(/^\S*\s/, '')}` : part;
  return end < text.length ? `${begun.replace(/\s\S*$/, '')}…` : begun;
}
