import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * Generates any Unicode character except surrogates. fast-check's `unit: 'binary'` generates the same characters, but
 * first builds a table of 1.1 million entries.
 */
const character = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((point) => String.fromCodePoint(point < firstSurrogate ? point : point + surrogates));

/** Generates text of any Unicode characters. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...(maxLength === undefined ? {} : { maxLength }) });
}
