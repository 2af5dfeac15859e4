import { basename } from 'node:path';
import { joinComments, markdownLines, namesIn, type Passage, passagesOf } from './scan.ts';
import { type Hit, hitsIn, hitsInName } from './words.ts';

/** Folders in which the names of variables, functions, types and properties are checked. */
const checkedNames = /^(?:addon|clients|db|pipeline|scripts|server)\//;

export interface Found extends Hit {
  file: string;
  line: number;
  text: string;
}

export interface FileResult {
  found: Found[];
  comments: number;
  /** Number of comments with at least one banned word. */
  badComments: number;
}

/** Returns every banned word in one file. The file extension decides how the file is read. */
export function checkFile(file: string, source: string): FileResult {
  const toFound = (line: number, text: string, hits: Hit[]) => hits.map((hit) => ({ ...hit, file, line, text }));
  const fileName = toFound(1, file, hitsInName(basename(file), file));
  if (!/\.(?:ts|mjs|js)$/.test(file)) {
    const found = markdownLines(source).flatMap(({ line, text }) =>
      toFound(line, text, hitsIn(text, { comment: false })),
    );
    return { found: [...fileName, ...found], comments: 0, badComments: 0 };
  }
  const passages = joinComments(passagesOf(source)).filter((passage) => isProse(file, passage));
  const checked = passages.map(({ kind, line, text }) => {
    const comment = kind === 'comment';
    return { comment, found: toFound(line, text, hitsIn(text, { comment })) };
  });
  const comments = checked.filter(({ comment }) => comment);
  const names = checkedNames.test(file) ? namesIn(source) : [];
  return {
    found: [
      ...fileName,
      ...names.flatMap(({ line, text }) => toFound(line, text, hitsInName(text, file))),
      ...checked.flatMap(({ found }) => found),
    ],
    comments: comments.length,
    badComments: comments.filter(({ found }) => found.length > 0).length,
  };
}

/**
 * Returns false for text that no reader sees, such as import paths. In tests and benchmarks, only comments and test
 * names are checked.
 */
function isProse(file: string, { kind, before }: Passage): boolean {
  if (kind === 'comment') return true;
  if (/(?:\bfrom|\bimport\(?)\s*['"]?$/.test(before)) return false;
  if (!/^(?:test|bench)\//.test(file)) return true;
  return /(?:\b(?:test|describe|describeRecorded)(?:\.\w+)*|\])\)?\(\s*['"`]?$/.test(before);
}
