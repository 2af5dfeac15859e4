/**
 * Yields copies of a JSON body in which one key has another name everywhere, as after a change upstream: one copy for each key
 * that occurs.
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
