/** A parsed formula as a tree. `area`: an address that may include a sheet name. `named`: a named range. */
export type Expression =
  | { kind: 'value'; value: string | number | boolean }
  | { kind: 'area'; sheet: string | null; a1: string }
  | { kind: 'named'; name: string }
  | { kind: 'joined'; parts: Expression[] }
  | { kind: 'call'; name: string; args: Expression[] };

type Reader = { text: string; at: number };

const token =
  /\s*(?:"(?<text>(?:[^"]|"")*)"|(?<truth>TRUE|FALSE)\b|(?<number>-?\d+(?:\.\d+)?)|(?:(?:'(?<quoted>(?:[^']|'')+)'|(?<plain>\w+))!)?(?<area>\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)(?!\w|\()|(?<name>[A-Za-z_]\w*))/iy;

const maxTrees = 5_000;
const trees = new Map<string, Expression>();

/** Operators with the functions of Google Sheets that give the same result. */
const operators = [
  ['<>', 'NE'],
  ['=', 'EQ'],
  ['/', 'DIVIDE'],
] as const;

/**
 * Parses a formula made of calls, areas, names, text, numbers, `&`, `/`, `=` and `<>`. The tests need no other syntax.
 * All operators except `&` are read from left to right, without precedence.
 *
 * @returns the tree. Callers must not modify the tree, because the same text always returns the same object.
 * @throws Error for anything else.
 */
export function readFormula(formula: string): Expression {
  const known = trees.get(formula);
  if (known !== undefined) return known;
  if (trees.size >= maxTrees) trees.clear();
  const tree = parseFormula(formula);
  trees.set(formula, tree);
  return tree;
}

function parseFormula(formula: string): Expression {
  const reader = { text: formula, at: 1 };
  const tree = readOperation(reader);
  if (!formula.startsWith('=') || formula.slice(reader.at).trim() !== '')
    throw new Error(`${formula} cannot be parsed`);
  return tree;
}

function readOperation(reader: Reader): Expression {
  let left = readJoined(reader);
  for (;;) {
    const [, name] = operators.find(([mark]) => skip(reader, mark)) ?? [];
    if (name === undefined) return left;
    left = { kind: 'call', name, args: [left, readJoined(reader)] };
  }
}

function readJoined(reader: Reader): Expression {
  const parts = [readTerm(reader)];
  while (skip(reader, '&')) parts.push(readTerm(reader));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'joined', parts };
}

function readTerm(reader: Reader): Expression {
  token.lastIndex = reader.at;
  const match = token.exec(reader.text)?.groups;
  if (match === undefined) return { kind: 'value', value: '' };
  reader.at = token.lastIndex;
  if (match.text !== undefined) return { kind: 'value', value: match.text.replaceAll('""', '"') };
  if (match.truth !== undefined) return { kind: 'value', value: match.truth.toUpperCase() === 'TRUE' };
  if (match.number !== undefined) return { kind: 'value', value: Number(match.number) };
  if (match.area !== undefined) {
    const sheet = match.quoted?.replaceAll("''", "'") ?? match.plain ?? null;
    return { kind: 'area', sheet, a1: match.area.replaceAll('$', '').toUpperCase() };
  }
  const name = match.name ?? '';
  return skip(reader, '(') ? { kind: 'call', name, args: readArguments(reader) } : { kind: 'named', name };
}

function readArguments(reader: Reader): Expression[] {
  if (skip(reader, ')')) return [];
  const args = [readOperation(reader)];
  while (skip(reader, ',') || skip(reader, ';')) args.push(readOperation(reader));
  if (!skip(reader, ')')) throw new Error(`${reader.text} cannot be parsed`);
  return args;
}

function skip(reader: Reader, mark: string): boolean {
  const ahead = /\s*/y;
  ahead.lastIndex = reader.at;
  ahead.exec(reader.text);
  if (!reader.text.startsWith(mark, ahead.lastIndex)) return false;
  reader.at = ahead.lastIndex + mark.length;
  return true;
}
