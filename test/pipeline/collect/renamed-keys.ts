/**
 * Yields a value as a JSON body, once for each key in the value, with this key renamed everywhere as a platform might
 * do.
 */
export function* renamedKeys(value: unknown): Iterable<{ key: string; body: Buffer }> {
  const marked = markKeys(value, (_path, key) => key);
  for (const key of marked.ends.keys()) yield { key, body: renamedIn(marked, key, 'V2') };
}

/** A JSON body of a platform in which the key at one path is renamed. */
export interface RenamedPath {
  /** Keys from the root to the renamed key. `*` stands for every element of a list: `items.*.snippet.title`. */
  path: string;
  body: Buffer;
}

const separator = '\u0000';

/**
 * Yields a JSON body, once for each key on the path to a value that `leadsTo` accepts (ids, titles, tokens), with this
 * key renamed. Works on the JSON of any platform. Serializes the JSON only once, because a page can have a megabyte and
 * hundreds of such keys.
 */
export function* renamedPaths(body: unknown, leadsTo: (value: unknown) => boolean): Generator<RenamedPath> {
  const paths = new Set<string>();
  collectPaths(body, '', leadsTo, paths);
  const marked = markKeys(body, (path) => (paths.has(path) ? path : null));
  for (const path of paths) {
    yield { path: path.replaceAll(separator, '.'), body: renamedIn(marked, path, 'Renamed') };
  }
}

/** A JSON text in which keys are marked. `ends`: by mark, the positions at which the names of the marked keys end. */
interface MarkedJson {
  text: Buffer;
  ends: Map<string, number[]>;
}

/** Returns the mark of a key; null when neither the key nor any key inside its value is to be renamed. */
type MarkOf = (path: string, key: string) => string | null;

/** Serializes a value as JSON, and finds the positions at which the names of its marked keys end. */
function markKeys(value: unknown, markOf: MarkOf): MarkedJson {
  const parts: Buffer[] = [];
  const ends = new Map<string, number[]>();
  let length = 0;
  for (const { text, mark } of piecesOf(value, '', markOf)) {
    const part = Buffer.from(text);
    parts.push(part);
    length += part.length;
    if (mark === undefined) continue;
    const known = ends.get(mark);
    if (known) known.push(length);
    else ends.set(mark, [length]);
  }
  return { text: Buffer.concat(parts), ends };
}

/** Returns a copy of the text in which `ending` is appended to the name of each key with this mark. */
function renamedIn({ text, ends }: MarkedJson, mark: string, ending: string): Buffer {
  const added = Buffer.from(ending);
  const positions = [0, ...(ends.get(mark) ?? []), text.length];
  const parts = positions.slice(1).flatMap((end, index) => [added, text.subarray(positions[index], end)]);
  return Buffer.concat(parts.slice(1));
}

function collectPaths(value: unknown, path: string, leadsTo: (value: unknown) => boolean, paths: Set<string>): void {
  if (typeof value !== 'object' || value === null) {
    if (!leadsTo(value)) return;
    const keys = path.split(separator);
    for (const [index, key] of keys.entries()) {
      if (key !== '*') paths.add(keys.slice(0, index + 1).join(separator));
    }
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    collectPaths(member, memberPath(path, value, key), leadsTo, paths);
  }
}

function memberPath(path: string, container: object, key: string): string {
  const name = Array.isArray(container) ? '*' : key;
  return path === '' ? name : `${path}${separator}${name}`;
}

/** A part of a JSON text. A part with a `mark` ends after the name of a marked key, before the closing quote. */
interface Piece {
  text: string;
  mark?: string;
}

/** Serializes a value as JSON in pieces, and ends a piece after the name of each marked key. */
function* piecesOf(value: unknown, path: string, markOf: MarkOf): Generator<Piece> {
  if (typeof value !== 'object' || value === null) return yield { text: JSON.stringify(value) };
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    const inner = memberPath(path, value, key);
    const mark = isList ? null : markOf(inner, key);
    if (index > 0) text += ',';
    if (!isList) text += JSON.stringify(key).slice(0, -1);
    if (!isList && mark === null) {
      text += `":${JSON.stringify(member)}`;
      continue;
    }
    yield mark === null ? { text } : { text, mark };
    if (!isList) yield { text: '":' };
    yield* piecesOf(member, inner, markOf);
    text = '';
  }
  yield { text: `${text}${isList ? ']' : '}'}` };
}
