import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import type { Picture } from './pictures.ts';

/** A second-level heading, which the menu beside the page lists. */
interface Section {
  id: string;
  title: string;
}

export interface Rendered {
  /** The text of the first-level heading. */
  title: string;
  /** Safe HTML. HTML tags in the Markdown are shown as text. */
  html: string;
  sections: Section[];
}

/** Label above a code block, by the language of the block. */
const codeLanguages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
  csv: 'CSV',
  sheet: 'Google Sheets',
  text: 'Example',
};

/** The names and pictures that a document can refer to. */
interface References {
  /** Name of each document in menus, by its file name. */
  labels?: ReadonlyMap<string, string>;
  /** The pictures that this server has, by the path that documents use. */
  pictures?: ReadonlyMap<string, Picture>;
}

/**
 * Renders Markdown as HTML with anchors, copy buttons and scrolling tables. A link to the Markdown file of a document
 * becomes a link to its page. When the text of the link is only the file name, the name in `labels` replaces it. A
 * picture that is not in `pictures` is shown as its description.
 */
export function renderMarkdown(source: string, references: References = {}): Rendered {
  const marked = new Marked({ gfm: true, async: false });
  const tokens = marked.lexer(source);
  const ids = headingIds(tokens);
  marked.use({ renderer: rendererOf(ids, references) });
  const headings = [...ids.keys()];
  const second = headings.filter(({ depth }) => depth === 2);
  return {
    title: plain(headings.find(({ depth }) => depth === 1)?.text ?? ''),
    html: marked.parser(tokens),
    sections: second.map((heading) => ({ id: ids.get(heading) ?? '', title: plain(heading.text) })),
  };
}

/**
 * Returns the HTML anchor of a heading. A heading that is an error code stays unchanged, because the
 * `documentation_url` of an error ends with the code.
 */
function anchorOf(heading: string): string {
  const text = plain(heading);
  if (/^[A-Z][A-Z_]+$/.test(text)) return text;
  const name = text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return name.trim().replaceAll(' ', '-');
}

const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** Returns the anchor of each heading. When a heading is repeated, a number is added to its anchor. */
function headingIds(tokens: readonly Token[]): ReadonlyMap<Tokens.Heading, string> {
  const seen = new Map<string, number>();
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  return new Map(
    headings.map((token) => {
      const id = anchorOf(token.text);
      const before = seen.get(id) ?? 0;
      seen.set(id, before + 1);
      return [token, before === 0 ? id : `${id}-${before}`];
    }),
  );
}

function rendererOf(ids: ReadonlyMap<Tokens.Heading, string>, { labels, pictures }: References): RendererObject {
  let blocks = 0;
  let tables = 0;
  return {
    html: ({ text }) => escaped(text),
    checkbox: () => '<span class="box" aria-hidden="true">☐</span> ',
    image: ({ href, text }) => imageHtml(pictures?.get(href), text),
    heading(token) {
      const { tokens, depth } = token;
      const text = this.parser.parseInline(tokens);
      const id = ids.get(token);
      if (depth === 1 || id === undefined) return `<h${depth}>${text}</h${depth}>\n`;
      return `<h${depth} id="${escaped(id)}"><a class="anchor" href="#${escaped(id)}">${text}</a></h${depth}>\n`;
    },
    link({ href, tokens, text: source }) {
      const label = source === href ? labels?.get(href) : undefined;
      const text = label === undefined ? this.parser.parseInline(tokens) : escaped(label);
      const address = pageAddress(href);
      if (address === null) return text;
      const rel = /^https?:/.test(address) ? ' rel="noopener noreferrer"' : '';
      return `<a href="${escaped(address)}"${rel}>${text}</a>`;
    },
    code({ text, lang = '' }) {
      blocks += 1;
      const id = `code-${blocks}`;
      const label = escaped(codeLanguages[lang] ?? lang);
      return `<figure class="code"><figcaption>${label}<button type="button" data-copy="${id}">Copy</button></figcaption>
<pre id="${id}" tabindex="0"><code>${escaped(text)}</code></pre></figure>\n`;
    },
    table({ header, rows }) {
      tables += 1;
      const alignment = ({ align }: Tokens.TableCell) => (align === 'right' ? ' class="number"' : '');
      const content = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
      const heads = header.map((cell) =>
        cell.text === '' ? '<td></td>' : `<th scope="col"${alignment(cell)}>${content(cell)}</th>`,
      );
      const lines = rows.map(
        (row) => `<tr>${row.map((cell) => `<td${alignment(cell)}>${content(cell)}</td>`).join('')}</tr>`,
      );
      const named = header.filter(({ text }) => text !== '').map(({ text }) => plain(text));
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${tables}: ${escaped(named.join(', '))}"><table>
<thead><tr>${heads.join('')}</tr></thead>\n<tbody>${lines.join('\n')}</tbody></table></div>\n`;
    },
  };
}

/**
 * Returns a picture with a link to its file, so that a reader can enlarge it on a phone. `width` and `height` keep the
 * text below from moving while the picture loads.
 */
function imageHtml(picture: Picture | undefined, text: string): string {
  if (picture === undefined) return escaped(text);
  const { address, width, height } = picture;
  const image = `<img src="${escaped(address)}" width="${width}" height="${height}" alt="${escaped(text)}" loading="lazy">`;
  return `<a href="${escaped(address)}">${image}</a>`;
}

/**
 * Returns the URL of a link on a page: the page of another document, or the path of a served file. Returns null when
 * the link is unsafe.
 */
function pageAddress(href: string): string | null {
  if (/^(?:https?:|mailto:)/.test(href) || href.startsWith('#') || /^\/(?![/\\])/.test(href)) return href;
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return /^\.\.\/\w/.test(href) ? href.slice(2) : null;
  return `${name === 'endpoints' ? '/docs/api' : `/docs/${name}`}${fragment}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] as string);
