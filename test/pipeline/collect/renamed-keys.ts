/**
 * Yields one copy of a JSON body for each of its keys, with that key renamed everywhere, as a platform might rename it.
 */
export function* renamedKeys(body: unknown): Iterable<{ key: string; body: unknown }> {
  for (const key of new Set(keysOf(body))) yield { key, body: renamed(body, key) };
}

function* keysOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* keysOf(member);
  }
}

function renamed(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((member) => renamed(member, key));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name === key ? `${key}V2` : name,
    renamed(member, key),
  ]);
  return Object.fromEntries(members);
}

/** A copy of an answer of a platform in which the key at one path is renamed. */
export interface RenamedPath {
  /** Keys from the root to the renamed key. `*` is every element of a list: `items.*.snippet.title`. */
  path: string;
  body: unknown;
}

const separator = '\u0000';

/**
 * Yields a copy of a parsed answer for each key on the path to a value that `leadsTo` accepts (ids, titles, tokens),
 * with that key renamed. Works on JSON of any platform. The copies share unchanged parts.
 */
export function* renamedPaths(body: unknown, leadsTo: (value: unknown) => boolean): Generator<RenamedPath> {
  const paths = new Set<string>();
  collectPaths(body, [], leadsTo, paths);
  for (const path of paths) {
    const keys = path.split(separator);
    yield { path: keys.join('.'), body: renamedAt(body, keys) };
  }
}

function collectPaths(
  value: unknown,
  keys: readonly string[],
  leadsTo: (value: unknown) => boolean,
  paths: Set<string>,
): void {
  if (typeof value !== 'object' || value === null) {
    if (!leadsTo(value)) return;
    for (const [index, key] of keys.entries()) {
      if (key !== '*') paths.add(keys.slice(0, index + 1).join(separator));
    }
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    collectPaths(member, [...keys, Array.isArray(value) ? '*' : key], leadsTo, paths);
  }
}

function renamedAt(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return key === '*' ? value.map((element) => renamedAt(element, rest)) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== key) return [name, member];
    return rest.length === 0 ? [`${key}Renamed`, member] : [name, renamedAt(member, rest)];
  });
  return Object.fromEntries(entries);
}
