import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Marked } from 'marked';
import { endpointsMarkdown } from '../../server/docs/endpoints.ts';
import { guideGroups, guideText } from '../../server/docs/guides.ts';

/** A fenced code block in a document. */
export interface Block {
  /** The name of the document and the number of the block, for example `credits #2`. */
  name: string;
  lang: string;
  code: string;
  /** The next block in the same document; null for the last block. */
  next: Block | null;
}

export interface SourceDocument {
  name: string;
  /** The Markdown text of the document. `{base_url}` is the placeholder for the service's address. */
  text: string;
}

const placeholder = '{base_url}';
const readmeAddress = 'http://127.0.0.1:8787';

/** All documents: the guides, the reference and the README. */
export const sourceDocuments: readonly SourceDocument[] = [
  { name: 'README.md', text: readFileSync(resolve('README.md'), 'utf8').replaceAll(readmeAddress, placeholder) },
  { name: 'endpoints', text: endpointsMarkdown() },
  ...guideGroups
    .flatMap(({ guides }) => guides)
    .map((guide) => ({ name: guide.name, text: guideText(guide, placeholder) })),
];

/** Returns the code blocks of a document in document order. */
export function blocksOf({ name, text }: SourceDocument): Block[] {
  const marked = new Marked();
  const found: Block[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type !== 'code') return;
    const block = { name: `${name} #${found.length + 1}`, lang: token.lang ?? '', code: token.text, next: null };
    const before = found.at(-1);
    if (before) before.next = block;
    found.push(block);
  });
  return found;
}

export const blocks: readonly Block[] = sourceDocuments.flatMap(blocksOf);
