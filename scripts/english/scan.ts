/**
 * A part of a source file whose content is not code. `start`: the position of its first character. `end`: the position
 * after its last character.
 */
interface Span {
  kind: 'comment' | 'string' | 'regex';
  start: number;
  end: number;
  text: string;
}

/** A comment or a string of a source file, in which the wording is checked. */
export interface Passage {
  kind: 'comment' | 'string';
  /** Number of the line with its first character, from 1. */
  line: number;
  text: string;
  /** The code directly before the passage, at most 80 characters. */
  before: string;
}

const regexMayFollow = /(?:^|[(,=:[!&|?{};+\n]|=>|\b(?:return|typeof|case))\s*$/;
const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|\/|[{}]/g;
const regexLiteral = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const beforeLength = 80;

/** Returns the comments, strings and template texts of JavaScript or TypeScript code, in order. */
export function passagesOf(source: string): Passage[] {
  let line = 1;
  let counted = 0;
  return spansOf(source).flatMap(({ kind, start, text }) => {
    if (kind === 'regex') return [];
    line += countLineEnds(source, counted, start);
    counted = start;
    return { kind, line, text, before: source.slice(Math.max(0, start - beforeLength), start) };
  });
}

/** Returns the names in JavaScript or TypeScript code, such as those of variables, types and properties, in order. */
export function namesIn(source: string): { line: number; text: string }[] {
  const code: string[] = [];
  let end = 0;
  for (const span of spansOf(source)) {
    code.push(source.slice(end, span.start), source.slice(span.start, span.end).replace(/[^\n]/g, ' '));
    end = span.end;
  }
  code.push(source.slice(end));
  return code
    .join('')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/[\p{L}_$][\p{L}\d_$]*/gu)].map(([name]) => ({ line: index + 1, text: name })),
    );
}

/**
 * Returns the comments, strings, template texts and regular expressions of JavaScript or TypeScript code, in order.
 * Does not parse the code, but only finds where these parts begin and end.
 */
function spansOf(source: string): Span[] {
  const spans: Span[] = [];
  /** One entry for each open brace: true for the `${` of a template. */
  const braces: boolean[] = [];
  let at = 0;

  const add = (kind: Span['kind'], start: number, end: number, text = source.slice(start, end)) => {
    spans.push({ kind, start, end, text });
  };
  const readTemplate = (start: number): number => {
    templateText.lastIndex = start;
    const end = start + (templateText.exec(source)?.[0].length ?? 0);
    add('string', start, end);
    if (source[end] !== '$') return end + 1;
    braces.push(true);
    return end + 2;
  };

  while (at < source.length) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (!match) break;
    const [found] = match;
    const start = match.index;
    at = start + found.length;
    if (found.startsWith('//') || found.startsWith('/*')) add('comment', start, at);
    else if (found === '`') at = readTemplate(at);
    else if (found === '/') {
      at = afterSlash(source, start);
      if (at > start + 1) add('regex', start, at);
    } else if (found === '{') braces.push(false);
    else if (found === '}') at = braces.pop() ? readTemplate(at) : at;
    else add('string', start, at, found.slice(1, -1));
  }
  return spans;
}

function countLineEnds(source: string, start: number, end: number): number {
  let count = 0;
  for (let at = source.indexOf('\n', start); at !== -1 && at < end; at = source.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Returns the position after the regular expression that begins at a slash, or after the slash when it is a division
 * sign.
 */
function afterSlash(source: string, start: number): number {
  if (!regexMayFollow.test(source.slice(Math.max(0, start - beforeLength), start))) return start + 1;
  regexLiteral.lastIndex = start;
  return start + (regexLiteral.exec(source)?.[0].length ?? 1);
}

/**
 * Returns the passages with comments as plain text: consecutive `//` lines become one comment, and comment signs are
 * removed.
 */
export function joinComments(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = [];
  let lastLine = 0;
  for (const passage of passages) {
    const previous = joined.at(-1);
    const isLine = passage.text.startsWith('//');
    const text = passage.kind === 'comment' ? withoutSigns(passage.text) : passage.text;
    const follows = isLine && lastLine === passage.line - 1 && /^\s*$/.test(passage.before.split('\n').at(-1) ?? '');
    if (previous && follows) previous.text += `\n${text}`;
    else joined.push({ ...passage, text });
    lastLine = isLine ? passage.line : 0;
  }
  return joined;
}

function withoutSigns(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^[ \t]*(?:\/\/|\*)[ \t]?/gm, '')
    .trim();
}

/** Returns the lines of a Markdown document without its code blocks. */
export function markdownLines(source: string): { line: number; text: string }[] {
  let fence: string | null = null;
  return source.split('\n').flatMap((text, index) => {
    const sign = /^\s*(```+|~~~+)/.exec(text)?.[1]?.slice(0, 3) ?? null;
    const inside = fence !== null || sign !== null;
    if (sign !== null && (fence === null || fence === sign)) fence = fence === null ? sign : null;
    return inside ? [] : [{ line: index + 1, text }];
  });
}
