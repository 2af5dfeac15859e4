/** A line of a block: its name, its value, and whether it takes part (`~` takes it out). */
export interface BruPair {
  name: string;
  value: string;
  enabled: boolean;
}

/** The blocks of a file in Bruno's language, as their lines without the indentation. Throws on what stands outside a block. */
export function readBru(text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  const outside = text.replace(
    /^([a-z][a-z:-]*) (\{|\[)\n([\s\S]*?)\n[}\]]$/gm,
    (_, name: string, __, inside: string) => {
      const lines = inside.split('\n');
      const loose = lines.find((line) => line !== '' && !line.startsWith('  '));
      if (loose !== undefined || blocks.has(name)) throw new Error(`the block ${name} cannot be read: ${loose}`);
      blocks.set(
        name,
        lines.map((line) => line.slice(2)),
      );
      return '';
    },
  );
  if (outside.trim() !== '') throw new Error(`not in a block: ${outside.trim()}`);
  return blocks;
}

/** The pairs of a block; none when the file has no such block. */
export function pairsOf(blocks: Map<string, string[]>, name: string): BruPair[] {
  return (blocks.get(name) ?? []).map((line) => {
    const [, out, key, value] = /^(~?)([^\s:"]+):(?: (.*))?$/.exec(line) ?? [];
    if (key === undefined) throw new Error(`not a pair: ${line}`);
    return { name: key, value: value ?? '', enabled: out === '' };
  });
}

/** The value of a pair that must be there. */
export function bruValue(blocks: Map<string, string[]>, block: string, name: string): string {
  const pair = pairsOf(blocks, block).find((one) => one.name === name);
  if (!pair) throw new Error(`${block} has no ${name}`);
  return pair.value;
}
