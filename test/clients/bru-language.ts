/** A line of a block in a Bruno file. `enabled` is false for a line with `~` before its name. */
export interface BruPair {
  name: string;
  value: string;
  enabled: boolean;
}

/** Returns the lines of each block of a Bruno file, without indentation. Throws on text outside a block. */
export function readBru(text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  const outside = text.replace(
    /^([a-z][a-z:-]*) (\{|\[)\n([\s\S]*?)\n[}\]]$/gm,
    (_, name: string, __, inside: string) => {
      const lines = inside.split('\n');
      const loose = lines.find((line) => line !== '' && !line.startsWith('  '));
      if (loose !== undefined || blocks.has(name)) throw new Error(`The block ${name} cannot be read: ${loose}`);
      blocks.set(
        name,
        lines.map((line) => line.slice(2)),
      );
      return '';
    },
  );
  if (outside.trim() !== '') throw new Error(`A .bru file must not have text outside of its blocks: ${outside.trim()}`);
  return blocks;
}

/** Returns the lines of a block as pairs of name and value, or none for a missing block. */
export function pairsOf(blocks: Map<string, string[]>, name: string): BruPair[] {
  return (blocks.get(name) ?? []).map((line) => {
    const [, out, key, value] = /^(~?)([^\s:"]+):(?: (.*))?$/.exec(line) ?? [];
    if (key === undefined) throw new Error(`This line is not a pair: ${line}`);
    return { name: key, value: value ?? '', enabled: out === '' };
  });
}

/** Returns the value with this name in a block of a Bruno file. Throws when the value is missing. */
export function bruValue(blocks: Map<string, string[]>, block: string, name: string): string {
  const pair = pairsOf(blocks, block).find((candidate) => candidate.name === name);
  if (!pair) throw new Error(`${block} has no ${name}`);
  return pair.value;
}
